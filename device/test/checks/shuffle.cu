// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: values of shuffles are used that come from lanes which have ended, in a warp that is not
// full, or from the warp's other half, which another mask names. The corrected twin reads lanes
// that have ended, too, but does not use their values.
#include "chosen.hpp"

__global__ void sum(int* out, int n, bool bad) {
  int const t = static_cast<int>(threadIdx.x);
  if (t >= n) return;
  int x = 1;
  for (int h = 16; h > 0; h /= 2) {
    bool const there = t % 32 + h < 32 && t + h < n;
    int const y = __shfl_down_sync(~0U, x, h);  // finding: shuffle
    if (bad || there) x += y;
  }
  if (t % 32 == 0) atomicAdd(out, x);
}

__global__ void exchange(int* out, bool bad) {
  int const t = static_cast<int>(threadIdx.x);
  unsigned const half = t < 16 ? 0xffffU : 0xffff0000U;
  int const x = __shfl_xor_sync(half, t, bad ? 16 : 8);  // finding: shuffle
  if (x == (t ^ 8)) atomicAdd(out, 1);
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host = 0;
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  sum<<<1, 64>>>(out, 50, bad);
  exchange<<<1, 32>>>(out, bad);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host == 50 + 32);
}
