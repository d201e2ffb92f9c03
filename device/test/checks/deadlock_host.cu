// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a kernel waits for a flag that the host sets when it has waited for the kernel.
#include "chosen.hpp"

__global__ void wait_for(int volatile* flag, int* out) {
  while (*flag == 0) {  // finding: deadlock
  }
  *out = 7;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *flag, *out, host = 0;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  cudaMalloc(&out, sizeof *out);
  *flag = 0;
  wait_for<<<1, 1>>>(flag, out);
  if (!bad) *static_cast<int volatile*>(flag) = 1;
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  *static_cast<int volatile*>(flag) = 1;
  cudaFree(out);
  cudaFreeHost(flag);
  return status(bad, host == 7);
}
