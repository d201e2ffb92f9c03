// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events and host functions, and their order; dynamic shared memory.
#include "../checked.cuh"

namespace {

using namespace checked;

__global__ void add(int* a, int n, int x) {
  extern __shared__ int own[];
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  own[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n) a[i] = own[threadIdx.x] + x;
}
__global__ void multiply(int* a, int n, int x) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] *= x;
}
//! Two arrays in one dynamic shared memory of more than 48 KiB.
__global__ void large_shared(double* out, int n) {
  extern __shared__ __align__(16) char bytes[];
  auto* const reals = reinterpret_cast<double*>(bytes);
  auto* const ints = reinterpret_cast<int*>(reals + n);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    reals[i] = i * 0.5;
    ints[n - 1 - i] = i;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    out[i] = reals[n - 1 - i] + ints[i];
}

constexpr int n = 1000;
constexpr int blocks = 8;
constexpr int threads = 128;

void check_order() {
  cudaStream_t one, two;
  cudaEvent_t half, full;
  SUCCEED(cudaStreamCreate(&one));
  SUCCEED(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  SUCCEED(cudaEventCreate(&half));
  SUCCEED(cudaEventCreateWithFlags(&full, cudaEventDisableTiming));
  device_array<int> a(std::vector<int>(n, 1));
  int* host = nullptr;
  SUCCEED(cudaMallocHost(&host, n * sizeof(int)));
  add<<<blocks, threads, threads * sizeof(int), one>>>(a.data(), n, 4);
  SUCCEED(cudaEventRecord(half, one));
  SUCCEED(cudaStreamWaitEvent(two, half, 0));
  multiply<<<blocks, threads, 0, two>>>(a.data(), n, 3);  // (1 + 4) * 3
  SUCCEED(cudaEventRecord(full, two));
  SUCCEED(cudaStreamWaitEvent(one, full, 0));
  add<<<blocks, threads, threads * sizeof(int), one>>>(a.data(), n, -5);
  SUCCEED(cudaMemcpyAsync(host, a.data(), n * sizeof(int), cudaMemcpyDeviceToHost, one));
  SUCCEED(cudaMemsetAsync(a.data(), 0, n * sizeof(int), one));
  SUCCEED(cudaStreamSynchronize(one));
  for (int i = 0; i < n; ++i) EXPECT_AT(i, host[i] == 10);
  SUCCEED(cudaStreamQuery(one));
  SUCCEED(cudaEventQuery(full));
  SUCCEED(cudaDeviceSynchronize());
  SAME(a.host(), std::vector<int>(n));
  SUCCEED(cudaFreeHost(host));
  SUCCEED(cudaEventDestroy(half));
  SUCCEED(cudaEventDestroy(full));
  SUCCEED(cudaStreamDestroy(one));
  SUCCEED(cudaStreamDestroy(two));
}

void check_time() {
  cudaEvent_t begin, end, untimed;
  SUCCEED(cudaEventCreate(&begin));
  SUCCEED(cudaEventCreate(&end));
  SUCCEED(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  device_array<int> a(std::vector<int>(n, 1));
  SUCCEED(cudaEventRecord(begin));
  multiply<<<blocks, threads>>>(a.data(), n, 3);
  SUCCEED(cudaEventRecord(end));
  SUCCEED(cudaEventRecord(untimed));
  SUCCEED(cudaEventSynchronize(end));
  float time = -1;
  SUCCEED(cudaEventElapsedTime(&time, begin, end));
  EXPECT(time >= 0 && time < 1e6f);
  SUCCEED(cudaEventSynchronize(untimed));
  EXPECT(cudaEventElapsedTime(&time, begin, untimed) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  SUCCEED(cudaEventDestroy(begin));
  SUCCEED(cudaEventDestroy(end));
  SUCCEED(cudaEventDestroy(untimed));
}

void check_host_functions() {
  cudaStream_t stream;
  SUCCEED(cudaStreamCreate(&stream));
  int called = 0;
  SUCCEED(cudaLaunchHostFunc(stream, [](void* p) { *static_cast<int*>(p) += 1; }, &called));
  SUCCEED(cudaStreamAddCallback(
      stream,
      [](cudaStream_t, cudaError_t e, void* p) {
        *static_cast<int*>(p) += e == cudaSuccess ? 10 : 100;
      },
      &called, 0));
  SUCCEED(cudaStreamSynchronize(stream));
  EXPECT(called == 11);
  SUCCEED(cudaStreamDestroy(stream));
}

void check_priorities() {
  int least = -1, greatest = 1, priority = 99;
  unsigned flags = 99;
  SUCCEED(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= least);
  cudaStream_t stream;
  SUCCEED(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  SUCCEED(cudaStreamGetPriority(stream, &priority));
  SUCCEED(cudaStreamGetFlags(stream, &flags));
  EXPECT(priority == greatest);
  EXPECT(flags == cudaStreamNonBlocking);
  SUCCEED(cudaStreamDestroy(stream));
}

void check_large_shared() {
  constexpr int elements = 5000;  // 60,000 bytes
  device_array<double> out(elements);
  constexpr int bytes = elements * 12;
  large_shared<<<1, 256, bytes>>>(out.data(), elements);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);  // the attribute for so much was not set
  SUCCEED(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  large_shared<<<1, 256, bytes>>>(out.data(), elements);
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < elements; ++i) EXPECT_AT(i, found[i] == (elements - 1 - i) * 1.5);
}

}  // namespace

int main() {
  check_order();
  check_time();
  check_host_functions();
  check_priorities();
  check_large_shared();
  return finish(n + 5000);
}
