// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two warps meet at one barrier with different numbers of threads.
#include "chosen.hpp"

__global__ void meet(int* out, int others) {
  __shared__ int own[64];
  int const t = static_cast<int>(threadIdx.x);
  own[t] = t;
  int const count = t < 32 ? 64 : others;
  asm volatile("bar.sync 1, %0;" : : "r"(count) : "memory");  // finding: barrier
  out[t] = own[63 - t];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  meet<<<1, 64>>>(out, bad ? 96 : 64);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 63);
}
