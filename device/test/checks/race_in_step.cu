// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the lanes of a warp reduce in shared memory as if they were in step, as dxtc2-cuda of
// HeCBench (issue 133).
#include "chosen.hpp"

constexpr int lanes = 32;

__global__ void least(int const* errors, int* out, bool bad) {
  __shared__ int here[2 * lanes];
  unsigned const lane = threadIdx.x;
  here[lane] = errors[lane];
  here[lane + lanes] = errors[lane + lanes];
  __syncthreads();
  for (unsigned step = lanes; step != 0; step /= 2) {
    int const other = here[lane + step];  // finding: race
    if (!bad) __syncwarp();
    if (other < here[lane]) here[lane] = other;  // finding: race
    if (!bad) __syncwarp();
  }
  if (lane == 0) *out = here[0];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int host[2 * lanes];
  for (int k = 0; k < 2 * lanes; ++k) host[k] = 2 * lanes - k;
  int *errors, *out;
  cudaMalloc(&errors, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(errors, host, sizeof host, cudaMemcpyHostToDevice);
  least<<<1, lanes>>>(errors, out, bad);
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(errors);
  cudaFree(out);
  return status(bad, host[0] == 1);
}
