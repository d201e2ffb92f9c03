// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of keys alone, by digits and by merging: compiled only, for test/kernel/check.py.
// promise program_phase<\d, .*radix_sort_program<.*, true>: registers <= 64, barriers = 1
// promise program_phase<\d, .*radix_sort_program<.*, false>: registers <= 128, barriers = 1
// promise tile_merge_program: registers <= 128, barriers = 1
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/fast.hpp>

void sorts_of_keys(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                   unsigned* a, float* b, double* c, mmm::index n) {
  mmm::radix_sort(on, a, a + n);
  mmm::radix_sort(on, c, c + n);
  mmm::radix_sort_pairs(on, c, c + n, c + n);
  mmm::merge_sort(on, b, b + n);
}
