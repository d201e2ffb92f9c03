// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host reads a counter in managed memory, to which a kernel adds by atomicAdd, and has
// not waited.
#include "ordered.hpp"

__global__ void count_up(int* counter) {
  atomicAdd(counter, 1);  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* counter;
  cudaMallocManaged(&counter, sizeof(int));
  *counter = 0;
  count_up<<<length / 256, 256>>>(counter);
  if (!bad) cudaDeviceSynchronize();
  bool const right = *static_cast<int volatile*>(counter) == length;
  cudaDeviceSynchronize();
  cudaFree(counter);
  return status(bad, right);
}
