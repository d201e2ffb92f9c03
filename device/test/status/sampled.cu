// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints which blocks of a grid were executed. With the argument "grid" its blocks meet at a
// barrier of the grid, with "wait" each waits for the one before it.
#include <cooperative_groups.h>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr unsigned blocks = 1000;
constexpr unsigned blocks_of_grid = 40;

__global__ void mark(int* to) { to[blockIdx.x] = 1; }

__global__ void mark_together(int* to) {
  cooperative_groups::this_grid().sync();
  to[blockIdx.x] = 1;
}

__global__ void mark_in_turn(int* to) {
  int volatile* const own = to + blockIdx.x;
  while (blockIdx.x != 0 && own[-1] == 0) {
  }
  *own = 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::string_view const how = count > 1 ? arguments[1] : "";
  int* to = nullptr;
  cudaMalloc(&to, blocks * sizeof(int));
  cudaMemset(to, 0, blocks * sizeof(int));
  void* parameters[] = {&to};
  if (how == "grid")
    cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(mark_together), blocks_of_grid, 32,
                                parameters);
  else if (how == "wait")
    mark_in_turn<<<blocks, 1>>>(to);
  else
    mark<<<blocks, 32>>>(to);
  std::vector<int> found(blocks);
  cudaMemcpy(found.data(), to, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (unsigned b = 0; b < blocks; ++b)
    if (found[b] != 0) std::printf("%u ", b);
  std::printf("\n");
  return cudaFree(to) == cudaSuccess ? 0 : 1;
}
