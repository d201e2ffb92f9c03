// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: memory of a pool is freed in its stream before the kernel that writes it.
#include "chosen.hpp"

__global__ void set(int* out) {
  out[threadIdx.x] = 3;  // finding: free
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host = 3;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&out, 64 * sizeof(int), stream);
  if (bad) cudaFreeAsync(out, stream);
  set<<<1, 64, 0, stream>>>(out);
  if (!bad) cudaMemcpyAsync(&host, out + 63, sizeof host, cudaMemcpyDeviceToHost, stream);
  if (!bad) cudaFreeAsync(out, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return status(bad, host == 3);
}
