// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: one of two arrays is never freed.
// finding: leak
#include "chosen.hpp"

__global__ void copy(int const* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *in, *out, host[32] = {};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  copy<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  if (!bad) cudaFree(out);
  return status(bad, host[31] == 1);
}
