// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: threads read what a bulk copy brings before its mbarrier has completed.
#include "asynchronous.hpp"
#include "chosen.hpp"

__global__ void shift(int const* in, int* out, bool bad) {
  __shared__ __align__(16) int own[64];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    make_barrier(&full, 256);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "256, [%2];" ::"r"(shared_address(own)),
                 "l"(in), "r"(shared_address(&full))
                 : "memory");
  }
  __syncthreads();
  if (!bad) wait_for(&full);
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
