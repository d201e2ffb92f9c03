// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row copy: wide_copy<4
// row sum: wide_sum_program<4, 4
// row prefix-sums: one_pass_scan<4
// row transpose: swizzled_transpose<
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

void sequences(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
               float* b, mmm::index n) {
  mmm::copy_wide(on, a, a + n, b);
  mmm::sum_wide(on, a, a + n, b);
  mmm::prefix_sums_one_pass(on, a, a + n, b);
  mmm::transpose_swizzled(on, a, mmm::shape(n, n), b);
}
