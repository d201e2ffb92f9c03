// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a reduction by one warp without __syncwarp between its steps.
#include "chosen.hpp"

__global__ void sum(int const* in, int* out, bool bad) {
  __shared__ int own[32];
  int const lane = static_cast<int>(threadIdx.x);
  own[lane] = in[lane];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) own[lane] += own[lane + step];  // finding: race
    if (!bad) __syncwarp();
  }
  if (lane == 0) *out = own[0];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *in, *out, host[32], result = 0;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, out, bad);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, result == 31 * 32 / 2);
}
