// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with an instruction that the device does not support: its needs are known. The argument
// "launch" launches it; "later" launches one that waits for the host before such an instruction.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

namespace {

__global__ void __launch_bounds__(256) reduce(float const* from, float* to) {
  __shared__ float word[64];
  word[threadIdx.x % 64] = from[threadIdx.x];
  __syncthreads();
  float sum = 0;
  asm volatile("multimem.ld_reduce.weak.global.add.f32 %0, [%1];" : "=f"(sum) : "l"(from));
  to[threadIdx.x] = sum + word[threadIdx.x % 32];
}

__device__ __noinline__ float sum_of_all(float const* from) {
  float sum = 0;
  asm volatile("multimem.ld_reduce.weak.global.add.f32 %0, [%1];" : "=f"(sum) : "l"(from));
  return sum;
}

__global__ void reduce_later(int const volatile* flag, float* memory) {
  while (*flag == 0) {
  }
  memory[0] = sum_of_all(memory);
}

//! The kernel calls the function when the host is in no call of CUDA.
void launch_one_that_waits(float* memory) {
  int* flag = nullptr;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  *flag = 0;
  reduce_later<<<1, 1>>>(flag, memory);
  std::fflush(stdout);
  *static_cast<int volatile*>(flag) = 1;
  std::this_thread::sleep_for(std::chrono::seconds(20));
  std::printf("the host goes on\n");
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
  std::string_view const how = count > 1 ? arguments[1] : "";
  if (how == "launch") reduce<<<1, 32>>>(memory, memory + 64);
  if (how == "later") launch_one_that_waits(memory);
  cudaError_t const ended = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(ended));
  return cudaFree(memory) == cudaSuccess && ended == cudaSuccess ? 0 : 1;
}
