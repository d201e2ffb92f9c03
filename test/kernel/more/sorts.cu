// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by digits and by merging of other numbers: compiled only, for test/kernel/check.py.
// promise radix_sort_program: registers <= 168, barriers = 1
// promise tile_merge_program: registers <= 168, barriers = 1
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/fast.hpp>

void sorts_by_digits(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                     double* a, float* b, unsigned* c, mmm::index n) {
  mmm::radix_sort(on, a, a + n);
  mmm::radix_sort_pairs(on, a, a + n, a, mmm::descending{});
  mmm::radix_sort_pairs(on, b, b + n, c);
}

void sorts_by_merging(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                      double* a, unsigned* b, mmm::index n) {
  mmm::merge_sort(on, a, a + n);
  mmm::merge_sort_pairs(on, a, a + n, a, mmm::descending{});
  mmm::merge_sort_pairs(on, b, b + n, a);
}
