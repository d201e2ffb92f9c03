// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a block reads the shared memory of another one that may have ended.
#include "chosen.hpp"

#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) exchange(int* out, bool bad) {
  namespace cg = cooperative_groups;
  __shared__ int own;
  auto const cluster = cg::this_cluster();
  own = static_cast<int>(blockIdx.x) + 5;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    if (bad) __nanosleep(100);
    for (int k = 0; bad && k < 10000; ++k) __nanosleep(100);
    out[0] = *cluster.map_shared_rank(&own, 1);  // finding: free
  }
  if (!bad) cluster.sync();
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *out, host = 0;
  cudaMalloc(&out, sizeof host);
  exchange<<<2, 1>>>(out, bad);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  if (!bad) cudaFree(out);
  return status(bad, host == 6);
}
