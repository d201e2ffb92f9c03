// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: an mbarrier is told to expect more bytes than its bulk copy brings.
#include "asynchronous.hpp"
#include "chosen.hpp"

__global__ void shift(int const* in, int* out, unsigned expected) {
  __shared__ __align__(16) int own[64];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    make_barrier(&full, expected);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "240, [%2];" ::"r"(shared_address(own)),
                 "l"(in), "r"(shared_address(&full))
                 : "memory");
  }
  __syncthreads();
  int done = 0;
  while (done == 0)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                 "selp.s32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared_address(&full))  // finding: deadlock
                 : "memory");
  if (threadIdx.x < 60) out[threadIdx.x] = own[threadIdx.x] + 1;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *in, *out, host[60] = {};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(in, out, bad ? 256 : 240);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[5] == 1);
}
