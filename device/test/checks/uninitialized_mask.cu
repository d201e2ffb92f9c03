// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the lane that a shuffle reads is computed from shared memory that nobody has written. The
// twin shuffles undefined words themselves and drops them.
#include "chosen.hpp"

__global__ void rotate(int* out, int written, bool by_value) {
  __shared__ int lane[32];
  int const t = static_cast<int>(threadIdx.x);
  if (t < written) lane[t] = t + 1;
  __syncwarp();
  int const next = lane[t];  // finding: uninitialized
  int const found = by_value ? __shfl_sync(0xffffffffU, next, (t + 16) % 32)
                             : __shfl_sync(0xffffffffU, t, next % 32);
  if (!by_value || t >= 32 - written) out[t] = found;
  if (by_value && t < 32 - written) out[t] = 0;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  rotate<<<1, 32>>>(out, 16, !bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, bad ? host[0] == 1 : host[16] == 1);
}
