// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catch2 version 2 and 3 under one name. Tests link its precompiled main.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
