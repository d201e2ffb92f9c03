// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a thread reads what it copied by cp.async before it waits for the copy.
#include "chosen.hpp"

#include <cuda_pipeline.h>

__global__ void shift(int const* in, int* out, bool bad) {
  __shared__ int own[64];
  __pipeline_memcpy_async(&own[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  if (!bad) __pipeline_wait_prior(0);
  out[threadIdx.x] = own[threadIdx.x] + 1;  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *in, *out, host[64] = {};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(in, out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[5] == 1);
}
