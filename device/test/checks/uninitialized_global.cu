// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host initialized all but the last element of an array that the kernel reads.
#include "chosen.hpp"

__global__ void histogram(int const* in, int* bins) {
  int const x = in[threadIdx.x];  // finding: uninitialized
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(bins + (x & 7), 1);
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 64;
  int *in, *bins, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemcpy(in, host, (bad ? n - 1 : n) * sizeof(int), cudaMemcpyHostToDevice);
  histogram<<<1, n>>>(in, bins);
  cudaMemcpy(host, bins, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(bins);
  return status(bad, host[7] == 8);
}
