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

//! Calls `check(machine)` with HMMs of one and several DMMs, of several widths, and with shared
//! memories of several latencies.
template <class Check>
void on_small_machines(Check check) {
  using machine = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>;  // one type to compile
  check(machine(1, 1, 5));
  check(machine(3, 2, 7));
  check(mmm::hmm<2, 8, 3, 20, mmm::unlimited, 2>());
}

}  // namespace checks
