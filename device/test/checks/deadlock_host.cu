// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error on the device in software, not on a GPU: a kernel waits for a flag that the host sets after
// the launch, which returns when the kernel has ended.
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
  *flag = bad ? 0 : 1;
  wait_for<<<1, 1>>>(flag, out);
  *static_cast<int volatile*>(flag) = 1;
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFreeHost(flag);
  return status(bad, host == 7);
}
