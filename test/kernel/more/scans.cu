// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of other words and operators than test/kernel/wide.cu has: compiled only
// (test/kernel/check.py).
// promise one_pass_scan<4, 8: LDG.128 = 8, STG.128 = 8, divisions = 0, bar.sync = 9
// promise one_pass_scan<4, 8: loop BAR = 2
// promise one_pass_scan<4, 8, plus: loop instructions <= 716, loop instructions >= 200
// promise one_pass_scan<4, 2: STG.128 = 4, loop BAR = 2
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/execution/kernel/cuda.cuh>

struct larger_one {
  MMM_HOST_DEVICE float operator()(float a, float b) const { return a < b ? b : a; }
};

void scans(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, int* a, float* b,
           long long* c, __half* d, double* e, mmm::index n) {
  mmm::prefix_sums_one_pass(on, a, a + n, a);
  mmm::exclusive_prefix_sums_one_pass(on, a, a + n, a);
  mmm::prefix_sums_one_pass(on, b, b + n, b, larger_one{});
  mmm::prefix_sums_one_pass(on, c, c + n, c);
  mmm::exclusive_prefix_sums_one_pass(on, c, c + n, c);
  mmm::prefix_sums_one_pass(on, d, d + n, e, mmm::init(0.0));
}
