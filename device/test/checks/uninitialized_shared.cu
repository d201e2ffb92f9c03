// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a stencil reads its halo in shared memory, which no thread has written.
#include "chosen.hpp"

__global__ void stencil(int const* in, int* out, int halo) {
  __shared__ int own[66];
  int const t = static_cast<int>(threadIdx.x);
  own[t + 1] = in[t];
  if (t < halo) own[t * 65] = 0;
  __syncthreads();
  out[t] = own[t] + own[t + 2];  // finding: uninitialized
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 64;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  stencil<<<1, n>>>(in, out, bad ? 1 : 2);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 2);
}
