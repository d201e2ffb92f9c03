// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Includes Catch2, version 2 or 3, under one name. Test programs link its precompiled main.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

//! Ends a test case that cannot run here. ctest looks for this line and reports it as skipped.
#define SKIP_HERE(why)        \
  do {                        \
    WARN("skipped: " << why); \
    SUCCEED();                \
    return;                   \
  } while (false)
