// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier of the block in a branch that only half of the last warp takes; what all threads do
// after it.
#include "chosen.hpp"

__global__ void fill_and_copy(int* memory, int n) {
  int const t = static_cast<int>(threadIdx.x);
  memory[t] = t;
  if (t < n) __syncthreads();  // finding: barrier
  memory[64 + t] = static_cast<int volatile*>(memory)[t];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *memory, host[128] = {};
  cudaMalloc(&memory, sizeof host);
  fill_and_copy<<<1, 64>>>(memory, bad ? 48 : 64);
  cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return status(bad, host[127] == 63);
}
