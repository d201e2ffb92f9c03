// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "unit/fast_kernel_checks.hpp"

#include <cstdint>

// The fast variants on host threads, against plain loops; under the thread sanitizer, every barrier that is needed.

TEST_CASE("fast kernels on host threads") {
  using machine = mmm::hmm<mmm::dynamic, 4, 1, 10>;
  for (auto const& [d, p] : {std::pair<mmm::index, mmm::index>{1, 4}, {3, 24}})
    checks::all_fast_kernels<checks::host_side, std::int64_t>(mmm::host_threads(machine(d), mmm::threads(p)),
                                                              {0, 1, 5, 100, 127, 128, 129, 1000});
  checks::all_fast_kernels<checks::host_side, float>(mmm::host_threads(machine(2), mmm::threads(16)), {999});
}

TEST_CASE("fast kernels on host threads take memory from anywhere on") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(16));
  for (mmm::index const n : {1, 64, 500}) {
    checks::unaligned_fast_kernels<checks::host_side, float>(on, n);
    checks::unaligned_fast_kernels<checks::host_side, double>(on, n);
  }
}
