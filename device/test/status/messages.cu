// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors whose messages device_test.py reads: the argument names one.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>
#include <string>

namespace {

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using pipeline_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

__global__ void store(int* to) { to[threadIdx.x] = 1; }
__global__ void read(int const* from, int* to) { to[threadIdx.x] = from[threadIdx.x] + 1; }
__global__ void trap() { asm("trap;"); }

__global__ void without_block_0(int* to) {
  if (blockIdx.x != 0) cg::this_grid().sync();  // line: grid
  to[blockIdx.x] = 1;
}

__global__ void wait_for_all(unsigned* count) {
  atomicAdd(count, 1U);
  while (*static_cast<unsigned volatile*>(count) != gridDim.x) {  // line: blocks
  }
}

__global__ void too_few(int* to) {
  __shared__ barrier all;
  if (threadIdx.x == 0) init(&all, 64);
  __syncthreads();
  if (threadIdx.x < 40) all.arrive_and_wait();  // line: mbarrier
  to[threadIdx.x] = 1;
}

__global__ void not_initialized_for_all(int* to) {
  __shared__ barrier all;
  if (threadIdx.x == 0) init(&all, 64);
  all.arrive_and_wait();  // line: toolkit
  to[threadIdx.x] = 1;
}

__global__ void sum_in_stages(int const* from, int* to) {
  __shared__ int stage[2][64];
  __shared__ pipeline_state state;
  auto const block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, stage[k % 2], from + 64 * k, sizeof stage[0], pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    sum += stage[k % 2][threadIdx.x];
    pipe.consumer_release();
  }
  to[threadIdx.x] = sum;
}

__global__ void sum_over_tiles(int* to) {
  __shared__ cg::block_tile_memory<128> memory;
  auto const tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  int const sum = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
  to[threadIdx.x] = cg::reduce(tile, sum, cg::plus<int>());
}

__global__ void read_before(int* to) {
  __shared__ int word[64];
  if (threadIdx.x < 32) to[threadIdx.x] = word[63 - threadIdx.x] + 1;  // line: read
  if (threadIdx.x >= 32) word[threadIdx.x] = 1;                        // line: write
}

__global__ void add(int const* a, int const* b, int* to) {
  to[threadIdx.x] = a[threadIdx.x * 32] + b[threadIdx.x * 4];  // line: add
}

void give_back(int* memory, cudaStream_t stream) { cudaFreeAsync(memory, stream); }

//! A free that is done later, where work is left until the host waits.
void store_after_free() {
  cudaStream_t stream = nullptr, other = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  int* memory = nullptr;
  cudaMallocAsync(&memory, 4096, stream);
  give_back(memory, stream);
  cudaStreamSynchronize(stream);
  store<<<1, 32, 0, other>>>(memory);
}

}  // namespace

int main(int count, char** arguments) {
  std::string const error = count > 1 ? arguments[1] : "";
  constexpr std::size_t bytes = 65536;
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, bytes);   // line: in
  cudaMalloc(&out, bytes);  // line: out
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  int of_host[32] = {};
  void* parameters[] = {&out};
  auto* const counter = reinterpret_cast<unsigned*>(out);
  constexpr int shared_bytes = 200000;
  cudaFuncSetAttribute(reinterpret_cast<void const*>(wait_for_all),
                       cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error == "null") store<<<1, 32>>>(nullptr);
  if (error == "offset") store<<<1, 32>>>(static_cast<int*>(nullptr) + 64);
  if (error == "host") store<<<1, 32>>>(of_host);
  if (error == "freed" && cudaFree(in) == cudaSuccess) store<<<1, 32>>>(in);  // line: free
  if (error == "deferred") store_after_free();
  if (error == "after") store<<<1, 32>>>(out + bytes / sizeof(int));
  if (error == "trap") trap<<<1, 32>>>();
  if (error == "grid")
    cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(without_block_0), dim3(4), dim3(32),
                                parameters, 0, nullptr);
  if (error == "blocks") wait_for_all<<<140, 32, shared_bytes>>>(counter);
  if (error == "mbarrier") too_few<<<1, 64>>>(out);
  if (error == "toolkit") not_initialized_for_all<<<1, 64>>>(out);
  if (error == "pipeline") sum_in_stages<<<1, 64>>>(in, out);
  if (error == "tile") sum_over_tiles<<<1, 128>>>(out);
  if (error == "cause") read_before<<<1, 64>>>(out);
  if (error == "arguments") add<<<1, 32>>>(in, in, out);
  if (error.starts_with("peer")) {  // with two devices
    int* theirs = nullptr;
    cudaSetDevice(1);
    cudaMalloc(&theirs, bytes);
    cudaMemset(theirs, 0, bytes);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    if (error != "peer") cudaDeviceEnablePeerAccess(1, 0);
    read<<<1, 32>>>(theirs, out);
    if (error == "peer_disabled" && cudaDeviceSynchronize() == cudaSuccess) {
      cudaDeviceDisablePeerAccess(1);
      read<<<1, 32>>>(theirs, out);
    }
    cudaDeviceSynchronize();
    cudaFree(theirs);
  }
  if (error == "pool" || error == "pool_access") {  // the same
    int* theirs = nullptr;
    cudaMemPool_t pool;
    cudaMemAccessDesc to{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaSetDevice(1);
    cudaDeviceGetDefaultMemPool(&pool, 1);
    cudaMallocAsync(&theirs, bytes, nullptr);
    cudaMemset(theirs, 0, bytes);
    cudaDeviceSynchronize();
    if (error == "pool_access") cudaMemPoolSetAccess(pool, &to, 1);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);  // says nothing of pools
    read<<<1, 32>>>(theirs, out);
    cudaDeviceSynchronize();
    cudaFree(theirs);
  }
  if (error == "unwritten") {
    int* fresh = nullptr;
    cudaMalloc(&fresh, bytes);  // line: fresh
    read<<<1, 32>>>(fresh, out);
    cudaFree(fresh);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  if (error != "freed") cudaFree(in);
  if (error != "leak") cudaFree(out);
}
