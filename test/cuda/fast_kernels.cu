// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variants with wide accesses, look-back, and tiles in shared memory.
#include "device_side.cuh"
#include "session.hpp"
#include "support/fast_kernel_checks.hpp"

#include <cstdint>
#include <vector>

namespace fast_kernels_tests {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;
std::vector<index> const sizes{0, 1, 2, 33, 1023, 5000, 100000};

//! A handle for `dmms` blocks of `p` threads each.
template <class T>
void all(index dmms, index p) {
  checks::all_fast_kernels<checks::device_side, T>(
      mmm::cuda::on(machine(dmms, 12288), mmm::threads(dmms * p)), sizes);
}

TEST_CASE("fast kernels of a hmm, float") {
  all<float>(4, 64);
  for (index const n : {1, 64, 5000})
    checks::unaligned_fast_kernels<checks::device_side, float>(
        mmm::cuda::on(machine(4, 12288), mmm::threads(256)), n);
  if (checks::small_only()) return;
  all<float>(3, 100);
  all<float>(checks::multiprocessors(), 256);
}

TEST_CASE("sums and scans in one block") {
  using side = checks::device_side;
  auto const on = mmm::cuda::on(machine(2, 12288), mmm::threads(512));
  for (index const n : {1, 3, 256, 257, 2048, 2051, 4352, 4367, 9000}) {
    checks::kernel_fold<side, float>(mmm::sum_in_one_block, on, n);
    for (bool const in_place : {false, true})
      checks::kernel_scan<side, float>(mmm::prefix_sums_in_one_block, on, n, in_place);
  }
  checks::kernel_fold<side, std::int64_t>(mmm::sum_in_one_block, on, 5000);
  checks::kernel_scan<side, std::int64_t>(mmm::prefix_sums_in_one_block, on, 5000, true);
  auto const few = mmm::cuda::on(machine(2, 12288), mmm::threads(256));
  std::vector<int> const ones(1000, 1);
  side::vector<int> const a(ones.begin(), ones.end());
  CHECK_THROWS_SAYING(mmm::sum_in_one_block(few, a.begin(), a.end()), std::invalid_argument,
                      "accepted: 256");
}

}  // namespace fast_kernels_tests
