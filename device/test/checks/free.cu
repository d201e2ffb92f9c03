// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: an array is freed before the kernel that reads it.
#include "chosen.hpp"

__global__ void copy(int const* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // finding: free
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 64;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  if (bad) cudaFree(in);
  copy<<<1, n>>>(in, out);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  if (!bad) cudaFree(in);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 1);
}
