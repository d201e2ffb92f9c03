// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exits with the status given as its argument, after a kernel has run. The output shows the
// device's results and does not depend on the order of threads.
#include <cstdio>
#include <cstdlib>

__global__ void histogram(unsigned* bins, unsigned n) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(own + (i * 2654435761u >> 28), 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(bins + threadIdx.x, own[threadIdx.x]);
  if (blockIdx.x == 0 && threadIdx.x == 5) printf("block 0\n");
}

int main(int count, char** arguments) {
  unsigned *bins, host[16];
  cudaMalloc(&bins, sizeof host);
  cudaMemset(bins, 0, sizeof host);
  histogram<<<7, 96>>>(bins, 10000);
  if (cudaMemcpy(host, bins, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 99;
  cudaFree(bins);
  unsigned sum = 0;
  for (unsigned const x : host) {
    std::printf("%u\n", x);
    sum += x;
  }
  if (sum != 10000) return 98;
  return count > 1 ? std::atoi(arguments[1]) : 0;
}
