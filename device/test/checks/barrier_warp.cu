// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a barrier of a warp, by lanes that its mask does not name.
#include "chosen.hpp"

__global__ void exchange(int* out, unsigned mask) {
  __shared__ int own[32];
  own[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncwarp(mask);  // finding: barrier
  if (threadIdx.x < 16) out[threadIdx.x] = own[15 - threadIdx.x];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[16] = {};
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 32>>>(out, bad ? 0x0000ffffu : 0xffffffffu);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 15);
}
