// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

//! How often a program has called functions of the CUDA runtime that ask, allocate, copy, wait or
//! launch. A function without a call is not there.
[[nodiscard]] std::map<std::string, int>& counted_calls();
