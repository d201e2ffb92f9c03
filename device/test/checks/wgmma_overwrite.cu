// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: threads overwrite an operand of wgmma (sm_90a) before they wait for the multiplication.
#include "asynchronous.hpp"
#include "chosen.hpp"

__global__ void multiply(unsigned* out, bool bad) {
  __shared__ __align__(1024) unsigned tile[512];  // 64 rows of 16 halves, each 1
  for (unsigned k = threadIdx.x; k < 512; k += 128) tile[k] = 0x3c003c00;
  fence_proxy();
  __syncthreads();
  auto const start = static_cast<unsigned long long>(shared_address(tile) >> 4);
  auto const descriptor = start | 64ULL << 16 | 8ULL << 32;  // leading 1024, stride 128
  unsigned d[2] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 0, "
               "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, "
               "%2, %2, p, 1, 1, 0, 0;\n}"
               : "+r"(d[0]), "+r"(d[1])
               : "l"(descriptor)
               : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  if (!bad) asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  __syncthreads();
  tile[threadIdx.x] = 0;  // finding: race
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  unsigned *out, host[128] = {};
  cudaMalloc(&out, sizeof host);
  multiply<<<1, 128>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[77] == 0x4c004c00);  // 16
}
