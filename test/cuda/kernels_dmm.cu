// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every algorithm for a DMM, as a kernel: one block, in shared memory.
#include "device_side.cuh"
#include "session.hpp"

namespace kernels_dmm_tests {

using mmm::index;
using machine = mmm::dmm<32, 1>;

TEST_CASE("kernels of a dmm, float") {
  for (index const p : {1, 32, 100, 1024})
    checks::all_kernels<checks::device_side, float>(mmm::cuda::on<machine>(mmm::threads(p)),
                                                    {0, 1, 2, 7, 33, 100, 1023});
}

TEST_CASE("a dmm uses all the shared memory that a block can have") {
  index const n = 40000;  // 160 000 bytes
  checks::kernel_fold<checks::device_side, float>(mmm::sum,
                                                  mmm::cuda::on<machine>(mmm::threads(1024)), n);
  checks::kernel_scan<checks::device_side, float>(
      mmm::prefix_sums_simple, mmm::cuda::on<machine>(mmm::threads(512)), n, true);
}

}  // namespace kernels_dmm_tests
