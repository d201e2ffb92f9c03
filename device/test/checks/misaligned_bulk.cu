// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a bulk copy of a number of bytes that is no multiple of 16.
#include "asynchronous.hpp"
#include "chosen.hpp"

__global__ void shift(int const* in, int* out, int bytes) {
  __shared__ __align__(16) int own[64];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    make_barrier(&full, static_cast<unsigned>(bytes));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%3, [%2];" ::"r"(shared_address(own)),
                 "l"(in), "r"(shared_address(&full)), "r"(bytes)  // finding: misaligned
                 : "memory");
  }
  __syncthreads();
  wait_for(&full);
  if (threadIdx.x < 50) out[threadIdx.x] = own[threadIdx.x] + 1;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *in, *out, host[64] = {};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(in, out, bad ? 200 : 208);
  cudaMemcpy(host, out, 50 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[5] == 1);
}
