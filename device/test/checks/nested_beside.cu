// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two kernels that a thread launches in two streams write one word (-rdc=true).
#include "chosen.hpp"

__global__ void put(int* out, int value) {
  *out = value;  // finding: race
}

__global__ void parent(int* out, bool bad) {
  put<<<1, 1>>>(out, 1);
  if (bad)
    put<<<1, 1, 0, cudaStreamFireAndForget>>>(out, 2);
  else
    put<<<1, 1>>>(out, 2);
  put<<<1, 1, 0, cudaStreamTailLaunch>>>(out + 1, 3);
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[2] = {};
  cudaMalloc(&out, sizeof host);
  parent<<<1, 1>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 2 && host[1] == 3);
}
