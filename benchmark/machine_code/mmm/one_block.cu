// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row sum, one block: one_block_sum<4, 4; whole
// row prefix-sums, one block: one_block_scan<4, 2; whole
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/mmm.cuh>

void of_one_block(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                  float* b, mmm::index n) {
  mmm::sum_in_one_block(on, a, a + n, b);
  mmm::prefix_sums_in_one_block(on, a, a + n, b);
}
