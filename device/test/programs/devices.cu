// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several devices, each with its own memory, kernels and variables, and copies between them. With
// one device, the program tests the calls that need only one.
#include "../checked.cuh"

namespace {

using namespace checked;

__device__ int own = 5;

__global__ void add_own(int* a, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] += own;
}
__global__ void read_peer(int const* theirs, int* mine, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) mine[i] = theirs[i] * 2;
}

constexpr int n = 300;

void check_properties(int device) {
  cudaDeviceProp p;
  SUCCEED(cudaGetDeviceProperties(&p, device));
  int value = -1;
  SUCCEED(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
  EXPECT(value == p.multiProcessorCount && value > 0);
  SUCCEED(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, device));
  EXPECT(value == 32 && p.warpSize == 32);
  SUCCEED(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, device));
  EXPECT(value == 1024 && p.maxThreadsPerBlock == 1024);
  SUCCEED(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, device));
  EXPECT(value == 48 * 1024 && p.sharedMemPerBlock == 48 * 1024);
  SUCCEED(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, device));
  EXPECT(value == p.major && value >= 7);
  EXPECT(p.name[0] != '\0');
  EXPECT(p.totalGlobalMem > (std::size_t{1} << 20));
  EXPECT(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
  EXPECT(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
  std::size_t free = 0, total = 0;
  SUCCEED(cudaSetDevice(device));
  SUCCEED(cudaMemGetInfo(&free, &total));
  EXPECT(free <= total && total > 0);
}

}  // namespace

int main() {
  int count = 0, current = -1;
  SUCCEED(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  SUCCEED(cudaGetDevice(&current));
  EXPECT(current == 0);
  EXPECT(cudaSetDevice(count) == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  int version = 0;
  SUCCEED(cudaRuntimeGetVersion(&version));
  EXPECT(version >= 13000);
  SUCCEED(cudaDriverGetVersion(&version));
  EXPECT(version >= 13000);
  std::vector<int*> memory(count);
  for (int d = 0; d < count; ++d) {
    check_properties(d);
    SUCCEED(cudaSetDevice(d));
    int const mine = 10 * (d + 1);
    SUCCEED(cudaMemcpyToSymbol(own, &mine, sizeof mine));  // each device has a variable of its own
    SUCCEED(cudaMalloc(&memory[d], n * sizeof(int)));
    SUCCEED(cudaMemset(memory[d], 0, n * sizeof(int)));
    add_own<<<3, 100>>>(memory[d], n);
    cudaPointerAttributes attributes;
    SUCCEED(cudaPointerGetAttributes(&attributes, memory[d]));
    EXPECT(attributes.device == d && attributes.type == cudaMemoryTypeDevice);
  }
  std::vector<int> host(n);
  for (int d = 0; d < count; ++d) {
    SUCCEED(cudaSetDevice(d));
    SUCCEED(cudaDeviceSynchronize());
    SUCCEED(cudaMemcpy(host.data(), memory[d], n * sizeof(int), cudaMemcpyDeviceToHost));
    SAME(host, std::vector<int>(n, 10 * (d + 1)));
  }
  for (int d = 1; d < count; ++d) {
    SUCCEED(cudaSetDevice(0));
    SUCCEED(cudaMemcpyPeer(memory[0], 0, memory[d], d, n * sizeof(int) / 2));
    SUCCEED(cudaMemcpy(host.data(), memory[0], n * sizeof(int), cudaMemcpyDefault));
    for (int i = 0; i < n / 2; ++i) EXPECT_AT(i, host[i] == 10 * (d + 1));
    int can = 0;
    SUCCEED(cudaDeviceCanAccessPeer(&can, 0, d));
    if (can == 0) continue;
    SUCCEED(cudaDeviceEnablePeerAccess(d, 0));
    EXPECT(cudaDeviceEnablePeerAccess(d, 0) == cudaErrorPeerAccessAlreadyEnabled);
    cudaGetLastError();
    read_peer<<<3, 100>>>(memory[d], memory[0], n);
    SUCCEED(cudaDeviceSynchronize());
    SUCCEED(cudaMemcpy(host.data(), memory[0], n * sizeof(int), cudaMemcpyDeviceToHost));
    SAME(host, std::vector<int>(n, 20 * (d + 1)));
    SUCCEED(cudaDeviceDisablePeerAccess(d));
  }
  for (int d = 0; d < count; ++d) {
    SUCCEED(cudaSetDevice(d));
    SUCCEED(cudaFree(memory[d]));
  }
  return finish(10 + 30 * count);
}
