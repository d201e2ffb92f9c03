// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a thread overwrites shared memory that its bulk copy may still read.
#include "asynchronous.hpp"
#include "chosen.hpp"

__global__ void number(int* out, bool bad) {
  __shared__ __align__(16) int own[4];
  for (int k = 0; k < 4; ++k) own[k] = k;
  fence_proxy();
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(out),
               "r"(shared_address(own))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  if (!bad) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  *static_cast<volatile int*>(&own[1]) = 7;  // finding: race
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[4] = {};
  cudaMalloc(&out, sizeof host);
  number<<<1, 1>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[1] == 1);
}
