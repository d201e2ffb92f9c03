// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a recursion that never ends. The twin ends after 100 calls.
#include "chosen.hpp"

__device__ __noinline__ int sum_down(int n) {
  if (n == 0) return 0;
  int rest = sum_down(n - 1);  // finding: bounds
  asm volatile("" : "+r"(rest));
  return rest + n;
}

__global__ void sum(int* out, int n) { out[threadIdx.x] = sum_down(n); }

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  sum<<<1, 64>>>(out, bad ? -1 : 100);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 5050);
}
