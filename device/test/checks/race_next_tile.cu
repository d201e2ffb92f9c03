// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the loop over tiles has one barrier: a warp stores the next tile while others read this
// one, as surfel-cuda of HeCBench (issue 253).
#include "chosen.hpp"

constexpr int tile = 256;
constexpr int tiles = 4;

__global__ void render(float const* surfels, float* out, bool bad) {
  __shared__ float here[tile];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    here[threadIdx.x] = surfels[t * tile + threadIdx.x];  // finding: race
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += here[(k + threadIdx.x) % tile];  // finding: race
    if (!bad) __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  float host[tile * tiles];
  for (float& x : host) x = 1;
  float *surfels, *out;
  cudaMalloc(&surfels, sizeof host);
  cudaMalloc(&out, tile * sizeof(float));
  cudaMemcpy(surfels, host, sizeof host, cudaMemcpyHostToDevice);
  render<<<1, tile>>>(surfels, out, bad);
  cudaMemcpy(host, out, tile * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(surfels);
  cudaFree(out);
  bool right = true;
  for (int k = 0; k < tile; ++k) right = right && host[k] == tile * tiles;
  return status(bad, right);
}
