// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by digits and by merging as kernels: compiled only, for test/kernel/check.py.
// promise program_phase<\d, .*radix_sort_program<.*, true>: registers <= 64, barriers = 1
// promise program_phase<\d, .*radix_sort_program<.*, false>: registers <= 128, barriers = 1
// promise tile_merge_program: registers <= 128, barriers = 1
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/fast.hpp>

void sorts_by_digits(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                     unsigned* a, unsigned* b, mmm::index n) {
  mmm::radix_sort_pairs(on, a, a + n, b);
}

void sorts_by_merging(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                      float* a, unsigned* b, mmm::index n) {
  mmm::merge_sort_pairs(on, a, a + n, b);
}
