// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>

namespace checks {

//! True where ctest runs the long tests, too: with the CMake option MMM_LONG_TESTS. Tests take more
//! values of their parameters then. Code that compiles slowly is in *.long.cpp.
inline bool long_tests() { return std::getenv("MMM_LONG_TESTS") != nullptr; }

//! A part of a sweep's cases: true for each k-th call, and for all with the long tests. If k has no
//! factor in common with the numbers of the parameters' values, all values occur, with all others.
class every_nth {
 public:
  explicit every_nth(int k) : k_(long_tests() ? 1 : k) {}
  [[nodiscard]] bool operator()() { return calls_++ % k_ == 0; }

 private:
  int k_;
  int calls_ = 0;
};

}  // namespace checks
