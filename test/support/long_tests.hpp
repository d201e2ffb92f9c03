// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>

namespace checks {

//! True where ctest runs the long tests, too: with the CMake option MMM_LONG_TESTS. Tests take more
//! values of their parameters then. What takes a compiler long is in files of its own, *.long.cpp.
inline bool long_tests() { return std::getenv("MMM_LONG_TESTS") != nullptr; }

}  // namespace checks
