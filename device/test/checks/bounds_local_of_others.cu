// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: threads follow the address of a local variable of their neighbour, which leads to their
// own on a GPU. The twin follows its own, through shared memory as well.
#include "chosen.hpp"

__global__ void exchange(int* out, int n, int distance) {
  __shared__ int* addresses[64];
  int const t = static_cast<int>(threadIdx.x);
  int own[4];
  for (int k = 0; k < n; ++k) own[k % 4] = t + k;
  addresses[t] = own;
  __syncthreads();
  int* const of_other = addresses[(t + distance) % 64];
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += of_other[k % 4];  // finding: bounds
  out[t] = sum;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 64>>>(out, 4, bad ? 1 : 0);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[1] == 10);
}
