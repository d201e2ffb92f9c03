// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include "problem_checks.hpp"

#include <cstdint>
#include <vector>

//! Checks of the fast variants by checks::problem_figures, on small machines with 32-bit words.
namespace checks {

//! Small numbers, whose products and sums are exact in every type.
template <class T = int>
std::vector<T> small_numbers(index n, index seed = 0) {
  std::vector<T> a(static_cast<std::size_t>(n));
  for (index i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<T>((i * 37 + seed * 11) % 19 - 7);
  return a;
}

//! Calls `check(machine)` with HMMs of one and several DMMs, with shared memories of several
//! latencies; of two widths with MMM_ALL_TESTS.
template <class Check>
void on_small_machines(Check check) {
  using mmm::dynamic;
  using machine =
      mmm::hmm<dynamic, 4, dynamic, dynamic, mmm::unlimited, dynamic>;  // one to compile
  check(machine(1, 1, 5, 1));
  check(machine(3, 2, 7, 1));
  check(machine(2, 3, 20, 2));
#ifdef MMM_ALL_TESTS
  check(mmm::hmm<2, 8, 3, 20, mmm::unlimited, 2>());
#endif
}

}  // namespace checks
