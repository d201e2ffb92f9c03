// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a kernel reads what threads of the kernel that launched it wrote, without a barrier
// between their writes and the launch (-rdc=true).
#include "chosen.hpp"

__global__ void sum(int const* in, int* out) {
  atomicAdd(out, in[threadIdx.x]);  // finding: race
}

__global__ void parent(int* data, int* out, bool bad) {
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (!bad) __syncthreads();
  if (threadIdx.x == 0) sum<<<1, 64>>>(data, out);
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *data, *out, host = 0;
  cudaMalloc(&data, 64 * sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  parent<<<1, 64>>>(data, out, bad);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(out);
  return status(bad, host == 2016);
}
