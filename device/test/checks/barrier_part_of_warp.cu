// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a barrier waits for a part of a warp. The twin counts whole warps; that some of its
// threads have ended before is no error.
#include "chosen.hpp"

__global__ void reverse(int* out, int n, int waited_for) {
  __shared__ int own[64];
  int const t = static_cast<int>(threadIdx.x);
  if (t >= n) return;
  own[t] = t;
  asm volatile("barrier.sync 1, %0;" : : "r"(waited_for) : "memory");  // finding: barrier
  out[t] = own[n - 1 - t];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[40] = {};
  cudaMalloc(&out, sizeof host);
  reverse<<<1, 64>>>(out, 40, bad ? 40 : 64);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 39);
}
