// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: blocks add to one word of global memory without an atomic operation.
#include "chosen.hpp"

__global__ void count_blocks(int* total, bool bad) {
  if (threadIdx.x != 0) return;
  if (bad)
    *total += 1;  // finding: race
  else
    atomicAdd(total, 1);
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *total, result = 0;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  count_blocks<<<20, 32>>>(total, bad);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(total);
  return status(bad, result == 20);
}
