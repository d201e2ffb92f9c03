// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a launch with less dynamic shared memory than the kernel uses.
#include "chosen.hpp"

__global__ void reverse(int* out) {
  extern __shared__ int own[];
  own[threadIdx.x] = static_cast<int>(threadIdx.x);  // finding: bounds
  __syncthreads();
  out[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];  // finding: bounds
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 128;
  int *out, host[n] = {};
  cudaMalloc(&out, n * sizeof(int));
  reverse<<<1, n, (bad ? n - 1 : n) * sizeof(int)>>>(out);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == n - 1);
}
