// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row radix sort of keys: phase<1, .*true>, long, array_argument<[^<>]*> >\(; whole
// row radix sort of pairs: phase<1, .*true>, long, .*> >\(.*array_argument.*array_argument<; whole
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

void sorts(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, unsigned* a,
           unsigned* b, mmm::index n) {
  mmm::radix_sort(on, a, a + n);
  mmm::radix_sort_pairs(on, a, a + n, b);
}
