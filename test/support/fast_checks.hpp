// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include "support/problem_checks.hpp"

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

//! The machine of these tests: one type, so that each algorithm is compiled for it once.
using small_machine =
    mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;

//! `dmms` DMMs of width 4 without a limit of capacity, with these latencies and parts of the global
//! memory.
constexpr small_machine small(index dmms, index shared_latency, index global_latency,
                              index parts = 1) {
  return small_machine(dmms, shared_latency, global_latency, mmm::unlimited, parts);
}

//! A machine of another width, for long tests.
using wider_machine = mmm::hmm<2, 8, 3, 20, mmm::unlimited, 2>;

//! Calls `check(machine)` with HMMs of one and several DMMs, with shared memories of several
//! latencies.
template <class Check>
void on_small_machines(Check check) {
  check(small(1, 1, 5));
  check(small(3, 2, 7));
  check(small(2, 3, 20, 2));
}

}  // namespace checks
