// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime and the driver in one process, as in simpleDrvRuntime of the toolkit's samples: one
// state.
#include "driver.hpp"

#include <cuda_runtime.h>

namespace {

__global__ void fill(int* to, int value) { to[threadIdx.x] = value; }

void check(cudaError_t wanted, cudaError_t found, int line) {
  driver::expect(wanted == found, cudaGetErrorName(found), line);
}

}  // namespace

int main() {
  // The driver's context is the runtime's.
  CUdevice const device = driver::begin();
  CUcontext context, current;
  SUCCEED(cuCtxGetCurrent(&context));
  int* memory = nullptr;
  check(cudaSuccess, cudaMalloc(&memory, 32 * sizeof(int)), __LINE__);
  fill<<<1, 32>>>(memory, 5);
  check(cudaSuccess, cudaGetLastError(), __LINE__);
  std::vector<int> found(32);
  SUCCEED(cuMemcpyDtoH(found.data(), reinterpret_cast<CUdeviceptr>(memory), 32 * sizeof(int)));
  EXPECT(found[0] == 5 && found[31] == 5);

  // A kernel of the runtime, launched by the driver, in a stream of the runtime
  cudaFunction_t function;
  cudaStream_t stream;
  check(cudaSuccess, cudaGetFuncBySymbol(&function, reinterpret_cast<void const*>(&fill)),
        __LINE__);
  check(cudaSuccess, cudaStreamCreate(&stream), __LINE__);
  int value = 6;
  void* arguments[] = {&memory, &value};
  SUCCEED(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  check(cudaSuccess, cudaMemcpy(found.data(), memory, 32 * sizeof(int), cudaMemcpyDefault),
        __LINE__);
  EXPECT(found[0] == 6 && found[31] == 6);

  // A function of the driver that the runtime gives; the driver's errors are not the runtime's.
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult status;
  check(cudaSuccess,
        cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &status),
        __LINE__);
  EXPECT(entry == reinterpret_cast<void*>(&cuMemAlloc));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(1234));
  check(cudaSuccess, cudaPeekAtLastError(), __LINE__);
  check(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 4), __LINE__);
  check(cudaErrorInvalidValue, cudaGetLastError(), __LINE__);

  // A context of the program's own becomes the runtime's.
  CUcontext own;
  SUCCEED(cuCtxCreate(&own, nullptr, 0, device));
  check(cudaSuccess, cudaDeviceSynchronize(), __LINE__);
  SUCCEED(cuCtxGetCurrent(&current));
  EXPECT(current == own && own != context);
  SUCCEED(cuCtxDestroy(own));
  check(cudaSuccess, cudaSetDevice(0), __LINE__);
  SUCCEED(cuCtxGetCurrent(&current));
  EXPECT(current == context);
  check(cudaSuccess, cudaFree(memory), __LINE__);
  check(cudaSuccess, cudaStreamDestroy(stream), __LINE__);
  return driver::finish(25);
}
