// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with an instruction that the device does not support: its needs are known, and the
// argument "launch" launches it.
#include <cuda_runtime.h>

#include <cstdio>
#include <string_view>

namespace {

__global__ void __launch_bounds__(256) reduce(float const* from, float* to) {
  __shared__ float word[64];
  word[threadIdx.x % 64] = from[threadIdx.x];
  __syncthreads();
  float sum = 0;
  asm volatile("multimem.ld_reduce.weak.global.add.f32 %0, [%1];" : "=f"(sum) : "l"(from));
  to[threadIdx.x] = sum + word[threadIdx.x % 32];
}

__global__ void fill(float* to) { to[threadIdx.x] = 1; }

}  // namespace

int main(int count, char** arguments) {
  cudaFuncAttributes needs{};
  int blocks = 0;
  cudaError_t const asked = cudaFuncGetAttributes(&needs, reduce);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce, 128, 0);
  std::printf("%s: %zu bytes, %d threads, %d blocks\n", cudaGetErrorName(asked),
              needs.sharedSizeBytes, needs.maxThreadsPerBlock, blocks);
  float* memory = nullptr;
  cudaMalloc(&memory, 4096);
  fill<<<1, 32>>>(memory);
  if (count > 1 && std::string_view(arguments[1]) == "launch")
    reduce<<<1, 32>>>(memory, memory + 64);
  cudaError_t const ended = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(ended));
  return cudaFree(memory) == cudaSuccess && ended == cudaSuccess ? 0 : 1;
}
