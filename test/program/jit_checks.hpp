// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/jit/device_array.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

//! Checks of kernels that are compiled at run time.
namespace jit_checks {

using list = std::vector<float>;

inline bool failed = false;
inline void check(bool holds, char const* what) {
  if (!holds) std::printf("FAILED: %s\n", what);
  failed |= !holds;
}

using array = mmm::jit::device_array<float>;

//! Small whole numbers, whose sums are exact.
inline list numbers(std::size_t n, std::size_t seed = 1) {
  list values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = static_cast<float>((k * 7919 + seed) % 11);
  return values;
}

//! Runs `work`, which must throw an Error with these words.
template <class Error, class Work>
void demand_error(std::string const& words, Work const& work) {
  try {
    work();
    check(false, ("no error: " + words).c_str());
  } catch (Error const& e) {
    check(std::string(e.what()).find(words) != std::string::npos, e.what());
  }
}

}  // namespace jit_checks
