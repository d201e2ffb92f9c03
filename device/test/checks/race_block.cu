// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: warps of a block exchange words through shared memory without a barrier.
#include "chosen.hpp"

__global__ void reverse(int* out, bool bad) {
  __shared__ int own[128];
  own[threadIdx.x] = 0;
  __syncthreads();
  own[threadIdx.x] = static_cast<int>(threadIdx.x);  // finding: race
  if (!bad) __syncthreads();
  out[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[128] = {};
  cudaMalloc(&out, sizeof host);
  reverse<<<1, 128>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 127);
}
