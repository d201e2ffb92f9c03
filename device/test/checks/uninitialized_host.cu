// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a launch with too many threads fails, and what it should have written is copied to the
// host all the same.
// finding: uninitialized
#include "chosen.hpp"

__global__ void fill(int* out, int n) {
  int const k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < n) out[k] = k;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 2048;
  int *out, host[n];
  cudaMalloc(&out, n * sizeof(int));
  fill<<<bad ? 1 : 2, bad ? n : n / 2>>>(out, n);
  static_cast<void>(cudaGetLastError());
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 1);
}
