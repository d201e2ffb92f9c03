// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a missing guard, so that threads beyond the end store.
#include "chosen.hpp"

__global__ void fill(int* out, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  out[i] = i;  // finding: bounds
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 100;
  int *out, host[n] = {};
  cudaMalloc(&out, n * sizeof(int));
  fill<<<1, 128>>>(out, bad ? 128 : n);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 1);
}
