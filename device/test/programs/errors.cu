// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of calls and launches that leave the device usable; occupancy and the attributes of
// kernels.
#include "../checked.cuh"

#include <string>

namespace {

using namespace checked;

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded(int* a) { a[threadIdx.x] = 1; }
__global__ void with_shared(int* out) {
  __shared__ int words[1000];
  words[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

//! The next query returns the error of a launch, once.
template <class Launch>
void fails(cudaError_t expected, Launch launch, int line) {
  launch();
  auto const seen = cudaPeekAtLastError();
  expect(seen == expected, cudaGetErrorName(seen), line);
  expect(cudaGetLastError() == expected, "cudaGetLastError", line);
  expect(cudaGetLastError() == cudaSuccess, "cudaGetLastError again", line);
}

//! A launch fails with some error; the manual does not say with which.
template <class Launch>
void fails_somehow(Launch launch, int line) {
  launch();
  auto const seen = cudaGetLastError();
  expect(seen == cudaErrorInvalidConfiguration || seen == cudaErrorInvalidValue ||
             seen == cudaErrorLaunchOutOfResources,
         cudaGetErrorName(seen), line);
  expect(cudaGetLastError() == cudaSuccess, "cudaGetLastError again", line);
}

void check_launches() {
  device_array<int> a(1024);
  fails(cudaErrorInvalidConfiguration, [] { nothing<<<1, 1025>>>(); }, __LINE__);
  fails(cudaErrorInvalidConfiguration, [] { nothing<<<0, 32>>>(); }, __LINE__);
  fails(cudaErrorInvalidConfiguration, [] { nothing<<<1, 0>>>(); }, __LINE__);
  fails_somehow([] { nothing<<<dim3(1, 65536), 1>>>(); }, __LINE__);
  fails_somehow([] { nothing<<<1, dim3(1, 1, 65)>>>(); }, __LINE__);
  fails(cudaErrorInvalidValue, [] { nothing<<<1, 1, 1 << 20>>>(); }, __LINE__);
  nothing<<<1, 1024>>>();
  WAIT();
}

void check_calls() {
  EXPECT(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  void* p = nullptr;
  EXPECT(cudaMalloc(&p, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  SUCCEED(cudaMalloc(&p, 0));
  EXPECT(p == nullptr);
  SUCCEED(cudaFree(nullptr));
  int on_stack = 0;
  EXPECT(cudaFree(&on_stack) == cudaErrorInvalidValue);
  device_array<int> a(10);
  EXPECT(cudaMemcpy(a.data(), &on_stack, 4, static_cast<cudaMemcpyKind>(9)) ==
         cudaErrorInvalidMemcpyDirection);
  EXPECT(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue");
  EXPECT(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  EXPECT(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  EXPECT(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation");
  EXPECT(std::string(cudaGetErrorString(static_cast<cudaError_t>(123456))) ==
         "unrecognized error code");
  cudaGetLastError();
}

void check_kernels() {
  cudaFuncAttributes attributes;
  SUCCEED(cudaFuncGetAttributes(&attributes, with_shared));
  EXPECT(attributes.sharedSizeBytes == 4000);
  EXPECT(attributes.maxThreadsPerBlock == 1024);
  EXPECT(attributes.numRegs > 0);
  SUCCEED(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.sharedSizeBytes == 0);
  EXPECT(attributes.maxThreadsPerBlock == 128);
  EXPECT(attributes.localSizeBytes == 0);
  device_array<int> a(256);
  fails_somehow([&] { bounded<<<1, 256>>>(a.data()); }, __LINE__);
}

void check_occupancy() {
  cudaDeviceProp p;
  SUCCEED(cudaGetDeviceProperties(&p, 0));
  int blocks = 0;
  SUCCEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
  EXPECT(blocks == p.maxThreadsPerMultiProcessor / 1024);
  SUCCEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 0));
  EXPECT(blocks == p.maxBlocksPerMultiProcessor);
  SUCCEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 64, 40000));
  EXPECT(blocks ==
         static_cast<int>(p.sharedMemPerMultiprocessor / (40000 + p.reservedSharedMemPerBlock)));
  int size = 0, grid = 0;
  SUCCEED(cudaOccupancyMaxPotentialBlockSize(&grid, &size, bounded, 0, 0));
  EXPECT(size > 0 && size <= 128 && size % 32 == 0);
  EXPECT(grid > 0 && grid % p.multiProcessorCount == 0);
  std::size_t available = 0;
  SUCCEED(cudaOccupancyAvailableDynamicSMemPerBlock(&available, nothing, 2, 64));
  EXPECT(available > 0 && 2 * available <= p.sharedMemPerMultiprocessor);
}

}  // namespace

int main() {
  check_launches();
  check_calls();
  check_kernels();
  check_occupancy();
  return finish(54);
}
