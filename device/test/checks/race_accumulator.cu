// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: one thread adds to the last sum, and all read it without a barrier between, as
// marchingCubes-cuda of HeCBench (issue 254).
#include "chosen.hpp"

constexpr int threads = 128;

__global__ void generate(unsigned* out, bool bad) {
  __shared__ unsigned sums[32];
  if (threadIdx.x < 32) sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) sums[31] += 7;  // finding: race
  if (!bad) __syncthreads();
  out[threadIdx.x] = sums[31];  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  unsigned *out, host[threads];
  cudaMalloc(&out, sizeof host);
  generate<<<1, threads>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  bool right = true;
  for (unsigned const x : host) right = right && x == 38;
  return status(bad, right);
}
