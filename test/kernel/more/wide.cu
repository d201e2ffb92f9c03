// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and scans as in test/kernel/wide.cu, of further words and kinds: compiled only
// (test/kernel/check.py).
// promise one_pass_scan<4, 8: wide loads = 8, wide stores = 8, bar.sync = 9, divisions = 0
// promise one_pass_scan<4, 8: LDG.128 = 8, STG.128 = 8, loop BAR = 2
// promise one_pass_scan<4, 8: loop instructions <= 716, loop instructions >= 200
// promise one_pass_scan<4, 2, plus: LDG.128 = 4, STG.128 = 4, loop BAR = 2
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/fast.hpp>

void further_words(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, double* a,
                   double* b, long long* c, float* d, mmm::index n) {
  static_cast<void>(mmm::sum_wide(on, c, c + n));
  mmm::prefix_sums_one_pass(on, a, a + n, b);
  mmm::exclusive_prefix_sums_one_pass(on, d, d + n, d);
}
