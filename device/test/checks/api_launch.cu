// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a launch with too many threads fails, and the program never asks for the error. The twin
// asks, and makes a launch that succeeds.
// finding: api
#include "chosen.hpp"

__global__ void fill(int* out, int n) {
  int const k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < n) out[k] = k + 1;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 2048;
  int *out, host[n];
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  fill<<<1, n>>>(out, n);
  if (!bad && cudaGetLastError() == cudaErrorInvalidConfiguration) fill<<<2, n / 2>>>(out, n);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[n - 1] == n);
}
