// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of one block for few words: compiled only (test/kernel/check.py). They have little
// code, as a GPU loads it from its global memory, and divide no integers.
// promise one_block_sum<4, 4.*plus.*float: instructions <= 200, bar.sync = 1, reciprocals = 0
// promise one_block_sum<4, 4.*plus.*float: LDG.128 = 4
// promise one_block_sum<1, 16: instructions <= 250, bar.sync = 1, reciprocals = 0
// promise one_block_sum<4, 2.*first_in_order: instructions <= 560, bar.sync = 1, reciprocals = 0
// promise one_block_scan<4, 2: instructions <= 250, bar.sync = 2, reciprocals = 0
// promise one_block_scan<4, 2: LDG.128 = 2, STG.128 = 2
// promise one_block_scan<1, 4: instructions <= 250, bar.sync = 2, reciprocals = 0
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/execution/kernel/cuda.cuh>

void kernels_of_one_block(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                          float* a, float* b, mmm::index n) {
  mmm::sum_in_one_block(on, a, a + n, b);
  mmm::prefix_sums_in_one_block(on, a, a + n, b);
  using fold = std::remove_const_t<decltype(mmm::sum_in_one_block)>;
  static_cast<void>(mmm::detail::located_algorithm<fold, mmm::detail::less_than>{}(on, a, a + n));
}
