// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host gets words that come from shared memory that nobody has written. The twin writes
// over them before.
#include "chosen.hpp"

__global__ void shift(int* out, int n) {
  __shared__ int own[64];
  int const t = static_cast<int>(threadIdx.x);
  if (t < n) own[t] = t;
  __syncthreads();
  out[t] = own[t];  // finding: uninitialized
}

__global__ void complete(int* out, int n) {
  int const t = static_cast<int>(threadIdx.x);
  if (t >= n) out[t] = t;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  shift<<<1, 64>>>(out, 60);
  if (!bad) complete<<<1, 64>>>(out, 60);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[63] == 63);
}
