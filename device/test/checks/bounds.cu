// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a load of global memory one element beyond the end.
#include "chosen.hpp"

__global__ void shift(int const* in, int* out, int n, int last) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[i < last ? i + 1 : 0];  // finding: bounds
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 100;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<1, 128>>>(in, out, n, bad ? n : n - 1);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[0] == 1 && host[n - 1] == 0);
}
