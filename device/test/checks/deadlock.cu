// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two blocks wait for each other's flag before they raise their own.
#include "chosen.hpp"

__global__ void meet(int volatile* flag, bool bad) {
  if (threadIdx.x != 0) return;
  unsigned const other = 1 - blockIdx.x;
  if (!bad) flag[blockIdx.x] = 1;
  while (flag[other] == 0) {  // finding: deadlock
  }
  if (bad) flag[blockIdx.x] = 1;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *flag, host[2] = {};
  cudaMalloc(&flag, sizeof host);
  cudaMemset(flag, 0, sizeof host);
  meet<<<2, 32>>>(flag, bad);
  cudaMemcpy(host, flag, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(flag);
  return status(bad, host[0] == 1 && host[1] == 1);
}
