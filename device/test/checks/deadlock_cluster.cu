// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a thread of a cluster waits at a barrier of its block for one that waits for the cluster.
#include "chosen.hpp"

__global__ void __cluster_dims__(2) meet(int* out, bool bad) {
  if (bad && threadIdx.x < 32 && blockIdx.x == 0) __syncthreads();
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");  // finding: deadlock
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[128] = {};
  cudaMalloc(&out, sizeof host);
  meet<<<2, 64>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  if (!bad) cudaFree(out);
  return status(bad, host[127] == 1);
}
