// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a shift writes one element beyond its shared array, which is another array's first.
#include "chosen.hpp"

__global__ void shift(int const* in, int* out, int by) {
  __shared__ int moved[33];
  __shared__ int kept[33];
  int const t = static_cast<int>(threadIdx.x);
  kept[t] = in[t];
  moved[t] = 0;
  if (t == 0) kept[32] = moved[32] = 0;
  __syncthreads();
  moved[t + by] = kept[t + 1];  // finding: bounds
  __syncthreads();
  out[t] = moved[t] + kept[t];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 32;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<1, n>>>(in, out, bad ? 2 : 0);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[3] == 7 && host[31] == 31);
}
