// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: of four warps that read a word, its writer waits for all but the first.
#include "chosen.hpp"

__global__ void replace(int* out, bool bad) {
  __shared__ int word;
  int const t = static_cast<int>(threadIdx.x);
  int const w = t / 32;
  if (t == 0) word = 5;
  __syncthreads();
  if (w < 4) out[t] = word;
  // Warps come one after the other to a barrier of pairs, the first only after the write.
  if (w == 0 && bad) asm volatile("barrier.sync 5, 64;" ::: "memory");
  if (w < 4 && !(w == 0 && bad)) asm volatile("barrier.arrive %0, 64;" ::"r"(1 + w) : "memory");
  if (w == 4) {
    for (int k = bad ? 1 : 0; k < 4; ++k)
      asm volatile("barrier.sync %0, 64;" ::"r"(1 + k) : "memory");
    word = 6;  // finding: race
    if (bad) asm volatile("barrier.arrive 5, 64;" ::: "memory");
  }
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[128] = {};
  cudaMalloc(&out, sizeof host);
  replace<<<1, 160>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 5);
}
