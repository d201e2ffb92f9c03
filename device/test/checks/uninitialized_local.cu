// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a histogram of each thread counts in an array of its own, a part of which is not set to 0.
#include "chosen.hpp"

__global__ void histogram(int const* in, int* out, int cleared) {
  int counts[16];
  for (int k = 0; k < cleared; ++k) counts[k] = 0;
  int const t = static_cast<int>(threadIdx.x);
  for (int k = 0; k < 4; ++k) ++counts[in[t + 32 * k]];  // finding: uninitialized
  out[t] = counts[in[t]];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 128;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i % 16;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  histogram<<<1, 32>>>(in, out, bad ? 15 : 16);
  cudaMemcpy(host, out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[0] == 4 && host[31] == 4);
}
