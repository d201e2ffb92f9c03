// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a barrier of the block in a branch that only half of the last warp takes.
#include "chosen.hpp"

__global__ void reverse(int* out, int n) {
  __shared__ int own[64];
  int const t = static_cast<int>(threadIdx.x);
  own[t] = t;
  if (t < n) {
    __syncthreads();  // finding: barrier
    out[t] = own[n - 1 - t];
  } else {
    out[t] = -1;
  }
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  reverse<<<1, 64>>>(out, bad ? 48 : 64);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 63);
}
