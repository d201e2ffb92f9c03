// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the lanes that take part in a shuffle wait for the others of its mask, which go around it
// and read what comes next. The twin's mask names those that come.
#include "chosen.hpp"

__global__ void halves(int const* in, int* out, unsigned mask) {
  int const lane = static_cast<int>(threadIdx.x);
  int x = lane;
  if (lane < 16) x = __shfl_down_sync(mask, x, 1, 16);  // finding: barrier
  out[lane] = x + in[lane];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *in, *out, host[32] = {};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemset(in, 0, sizeof host);
  halves<<<1, 32>>>(in, out, bad ? 0xffffffffu : 0x0000ffffu);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[0] == 1 && host[31] == 31);
}
