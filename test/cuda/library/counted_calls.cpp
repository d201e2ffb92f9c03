// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the CUDA runtime that count a call and make it: a program's own take precedence over
// those of the shared library. Declared here with plain types, as the runtime's headers define some
// of them for the device.
#include "counted_calls.hpp"

#include <dlfcn.h>

#include <cstddef>

std::map<std::string, int>& counted_calls() {
  static std::map<std::string, int> counts;
  return counts;
}

namespace {

struct dim3 {
  unsigned x, y, z;
};
using stream = void*;

template <class Function>
Function* counted(char const* name) {
  ++counted_calls()[name];
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define MMM_COUNTED(name, parameters, arguments) \
  extern "C" int name parameters;                \
  extern "C" int name parameters { return counted<int parameters>(#name) arguments; }
MMM_COUNTED(cudaDeviceGetAttribute, (int* out, int which, int device), (out, which, device))
MMM_COUNTED(cudaFuncGetAttributes, (void* out, void const* kernel), (out, kernel))
MMM_COUNTED(cudaFuncSetAttribute, (void const* kernel, int which, int value),
            (kernel, which, value))
MMM_COUNTED(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
            (int* out, void const* kernel, int threads, std::size_t shared),
            (out, kernel, threads, shared))
MMM_COUNTED(cudaPointerGetAttributes, (void* out, void const* pointer), (out, pointer))
MMM_COUNTED(cudaMallocAsync, (void** out, std::size_t bytes, stream of), (out, bytes, of))
MMM_COUNTED(cudaMallocFromPoolAsync, (void** out, std::size_t bytes, void* pool, stream of),
            (out, bytes, pool, of))
MMM_COUNTED(cudaMemPoolCreate, (void** out, void const* properties), (out, properties))
MMM_COUNTED(cudaFreeAsync, (void* first, stream of), (first, of))
MMM_COUNTED(cudaMemcpyAsync, (void* to, void const* from, std::size_t bytes, int kind, stream of),
            (to, from, bytes, kind, of))
MMM_COUNTED(cudaMemsetAsync, (void* to, int value, std::size_t bytes, stream of),
            (to, value, bytes, of))
MMM_COUNTED(cudaStreamSynchronize, (stream of), (of))
MMM_COUNTED(cudaDeviceSynchronize, (), ())
MMM_COUNTED(cudaLaunchKernel,
            (void const* kernel, dim3 grid, dim3 block, void** list, std::size_t shared, stream of),
            (kernel, grid, block, list, shared, of))
MMM_COUNTED(cudaLaunchCooperativeKernel,
            (void const* kernel, dim3 grid, dim3 block, void** list, std::size_t shared, stream of),
            (kernel, grid, block, list, shared, of))
