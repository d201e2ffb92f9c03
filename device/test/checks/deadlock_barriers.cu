// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two warps wait at different named barriers of 64 threads each.
#include "chosen.hpp"

__global__ void meet(int* out, int bad) {
  int const name = 1 + bad * static_cast<int>(threadIdx.x / 32);
  __shared__ int own[64];
  own[threadIdx.x] = static_cast<int>(threadIdx.x);
  asm volatile("bar.sync %0, 64;" : : "r"(name) : "memory");  // finding: deadlock
  out[threadIdx.x] = own[63 - threadIdx.x];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  meet<<<1, 64>>>(out, bad ? 1 : 0);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 63);
}
