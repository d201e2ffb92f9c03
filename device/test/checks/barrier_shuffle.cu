// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a shuffle in a branch, by lanes that its mask does not name.
#include "chosen.hpp"

__global__ void rotate(int* out, unsigned mask) {
  int const lane = static_cast<int>(threadIdx.x);
  int x = lane;
  if (lane < 20) x = __shfl_sync(mask, x, (lane + 1) % 16);  // finding: barrier
  out[lane] = x;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  rotate<<<1, 32>>>(out, bad ? 0x0000ffffu : 0x000fffffu);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 1 && host[15] == 0 && host[19] == 4 && host[31] == 31);
}
