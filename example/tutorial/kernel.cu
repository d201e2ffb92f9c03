// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tutorial's kernel (docs/tutorial-bitonic-sort.md).
// [all]
#include <mmm/mmm.cuh>

#include "bitonic_sort.hpp"

#include <algorithm>
#include <cstdio>

int main() {
  mmm::index const n = 1 << 16;
  int* words = nullptr;
  cudaMallocManaged(&words, n * sizeof(int));
  for (mmm::index i = 0; i < n; ++i) words[i] = static_cast<int>(i * 40503 % n);

  using machine = mmm::hmm<16, 32, 7, 400>;  // 16 DMMs: a grid of 16 blocks
  sorting{}(mmm::cuda::on<machine>(mmm::threads(16 * 512), cudaStream_t{}), words, words + n);
  cudaDeviceSynchronize();

  bool const sorted = std::is_sorted(words, words + n);
  std::printf("%s\n", sorted ? "sorted" : "not sorted");
  return sorted ? 0 : 1;
}
// [/all]
