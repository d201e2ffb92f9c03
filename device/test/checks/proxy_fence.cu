// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a bulk copy reads what threads stored in shared memory, without fence.proxy.async.
#include "asynchronous.hpp"
#include "chosen.hpp"

#define STORE_64_WORDS "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;"

__global__ void number(int* out, bool bad) {
  __shared__ __align__(16) int own[64];
  own[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (!bad) fence_proxy();
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned const source = shared_address(own);
  asm volatile(STORE_64_WORDS ::"l"(out), "r"(source) : "memory");  // finding: race
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  number<<<1, 64>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[5] == 5);
}
