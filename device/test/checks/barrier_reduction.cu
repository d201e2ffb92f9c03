// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: one warp counts predicates at a barrier at which the other only waits.
#include "chosen.hpp"

__global__ void meet(int* out, int bad) {
  int const t = static_cast<int>(threadIdx.x);
  int found = 0;
  if (t < 32 || !bad)
    found = __syncthreads_count(t % 2);  // finding: barrier
  else
    __syncthreads();  // finding: barrier
  out[t] = found;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  meet<<<1, 64>>>(out, bad ? 1 : 0);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 32);
}
