// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every algorithm for a UMM and for a PRAM, as a kernel: a grid over global memory with grid-wide
// barriers.
#include "device_side.cuh"
#include "session.hpp"

#include <vector>

namespace kernels_umm_tests {

using mmm::index;
using machine = mmm::umm<32, 400>;

std::vector<index> const sizes{0, 1, 2, 7, 33, 100, 1023};

TEST_CASE("kernels of a umm, float") {
  for (index const p : {100, 5000})
    checks::all_kernels<checks::device_side, float>(mmm::cuda::on<machine>(mmm::threads(p)), sizes);
}

TEST_CASE("a sum and a scan of a pram") {
  auto const on = mmm::cuda::on<mmm::pram>(mmm::threads(300));
  for (index const n : sizes) {
    checks::kernel_fold<checks::device_side, float>(mmm::sum, on, n);
    checks::kernel_scan<checks::device_side, float>(mmm::prefix_sums, on, n, false);
  }
}

TEST_CASE("a umm of many blocks") {
  index const blocks = checks::small_only() ? 9 : 132;
  for (index const n : {9999, 99999, 1 << 20}) {
    if (checks::small_only() && n > 10000) continue;
    auto const on = mmm::cuda::on<machine>(mmm::threads(blocks * 256 + 17));
    checks::kernel_fold<checks::device_side, float>(mmm::sum, on, n);
    checks::kernel_scan<checks::device_side, float>(mmm::prefix_sums, on, n, true);
    checks::kernel_scan<checks::device_side, float>(mmm::prefix_sums, on, n, false);
    if (checks::small_only()) continue;
    checks::kernel_fold<checks::device_side, float>(mmm::sum, mmm::cuda::on<machine>(), n);
    checks::kernel_scan<checks::device_side, float>(mmm::prefix_sums, mmm::cuda::on<machine>(), n,
                                                    true);
  }
  auto const on = checks::small_only() ? mmm::cuda::on<machine>(mmm::threads(blocks * 256))
                                       : mmm::cuda::on<machine>();
  index const side = checks::small_only() ? 90 : 300;
  checks::kernel_transpose<checks::device_side, float>(mmm::transpose_straightforward, on, side);
  checks::kernel_transpose<checks::device_side, float>(mmm::transpose_rotating, on, side);
}

}  // namespace kernels_umm_tests
