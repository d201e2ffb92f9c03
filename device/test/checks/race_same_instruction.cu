// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: one store instruction writes different values to one word.
#include "chosen.hpp"

__global__ void scatter(int const* where, int* out) {
  out[where[threadIdx.x]] = static_cast<int>(threadIdx.x);  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *where, *out, host[32];
  for (int i = 0; i < 32; ++i) host[i] = 31 - i;
  if (bad) host[7] = 3;
  cudaMalloc(&where, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  cudaMemcpy(where, host, sizeof host, cudaMemcpyHostToDevice);
  scatter<<<1, 32>>>(where, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(where);
  cudaFree(out);
  return status(bad, host[31] == 0 && host[0] == 31);
}
