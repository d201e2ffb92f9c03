// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: lane 0 acquires a flag for its warp, and the other lanes learn of it by a shuffle only,
// which orders no memory.
#include "chosen.hpp"

__global__ void hand_over(int* out, bool bad) {
  __shared__ int data[32];
  __shared__ unsigned flag;
  unsigned const lane = threadIdx.x % 32;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = static_cast<int>(lane) * 3;
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      atomicExch(&flag, 1U);
    }
    return;
  }
  unsigned seen = 0;
  while (seen == 0) {
    if (lane == 0) {
      seen = atomicAdd(&flag, 0U);
      __threadfence_block();
    }
    seen = __shfl_sync(0xffffffffU, seen, 0);
  }
  if (!bad) __syncwarp();
  out[lane] = data[31 - lane];  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  hand_over<<<1, 64>>>(out, bad);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return status(bad, host[0] == 93 && host[31] == 0);
}
