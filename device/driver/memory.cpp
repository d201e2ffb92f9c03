// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <device/runtime/work.hpp>

#include <algorithm>

namespace device::driver {

MMM_CUDA_API CUresult cuMemAlloc_v2(void** out, std::size_t bytes) {
  return call([&](process&) {
    require(bytes != 0, cudaErrorInvalidValue);
    return runtime::cudaMalloc(out, bytes);
  });
}

MMM_CUDA_API CUresult cuMemAllocPitch_v2(void** out, std::size_t* pitch, std::size_t width,
                                         std::size_t height, unsigned element) {
  return call([&](process&) {
    require((element == 4 || element == 8 || element == 16) && width != 0 && height != 0,
            cudaErrorInvalidValue);
    return runtime::cudaMallocPitch(out, pitch, width, height);
  });
}

MMM_CUDA_API CUresult cuMemAllocManaged(void** out, std::size_t bytes, unsigned flags) {
  return call([&](process&) { return runtime::cudaMallocManaged(out, bytes, flags); });
}

MMM_CU_FORWARD_END(cuMemFree_v2, cudaFree, (void* pointer), (pointer))

MMM_CUDA_API CUresult cuMemHostAlloc(void** out, std::size_t bytes, unsigned flags) {
  return call([&](process&) {
    require(bytes != 0, cudaErrorInvalidValue);
    return runtime::cudaHostAlloc(out, bytes, flags);
  });
}
MMM_CUDA_API CUresult cuMemAllocHost_v2(void** out, std::size_t bytes) {
  return cuMemHostAlloc(out, bytes, 0);
}
MMM_CU_FORWARD_END(cuMemFreeHost, cudaFreeHost, (void* pointer), (pointer))
MMM_CU_FORWARD(cuMemHostRegister_v2, cudaHostRegister,
               (void* pointer, std::size_t bytes, unsigned flags), (pointer, bytes, flags))
MMM_CU_FORWARD(cuMemHostRegister, cudaHostRegister,
               (void* pointer, std::size_t bytes, unsigned flags), (pointer, bytes, flags))
MMM_CU_FORWARD_END(cuMemHostUnregister, cudaHostUnregister, (void* pointer), (pointer))
MMM_CU_FORWARD(cuMemHostGetDevicePointer_v2, cudaHostGetDevicePointer,
               (void** out, void* pointer, unsigned flags), (out, pointer, flags))
MMM_CU_FORWARD(cuMemHostGetFlags, cudaHostGetFlags, (unsigned* flags, void* pointer),
               (flags, pointer))
MMM_CU_FORWARD(cuMemGetInfo_v2, cudaMemGetInfo, (std::size_t* free_bytes, std::size_t* total),
               (free_bytes, total))

MMM_CUDA_API CUresult cuMemGetAddressRange_v2(void** begin, std::size_t* bytes, void* pointer) {
  return call([&](process& p) {
    auto const a = p.memory.find(runtime::address_of(pointer));
    require(a && p.memory.holds(runtime::address_of(pointer), 1), cudaErrorSymbolNotFound);
    if (begin != nullptr) *begin = runtime::pointer_to(a->begin);
    if (bytes != nullptr) *bytes = a->bytes;
  });
}

// --- fills ---------------------------------------------------------------------------------------

namespace {

cudaError_t fill(process& p, void* to, unsigned value, unsigned element, std::size_t pitch,
                 std::size_t width, std::size_t height) {
  require(runtime::address_of(to) % element == 0 && (height <= 1 || pitch % element == 0),
          cudaErrorInvalidValue);
  runtime::issue_and_wait(p, runtime::fill_of(to, value, element, pitch, width, height));
  return cudaSuccess;
}

cudaError_t fill(process& p, void* to, unsigned value, unsigned element, std::size_t pitch,
                 std::size_t width, std::size_t height, cudaStream_t stream) {
  require(runtime::address_of(to) % element == 0 && (height <= 1 || pitch % element == 0),
          cudaErrorInvalidValue);
  runtime::issue(p, stream, runtime::fill_of(to, value, element, pitch, width, height));
  return cudaSuccess;
}

}  // namespace

#define MMM_CU_FILL(bits, type)                                                                  \
  MMM_CUDA_API CUresult cuMemsetD##bits##_v2(void* to, type value, std::size_t count) {          \
    return call(                                                                                 \
        [&](process& p) { return fill(p, to, value, bits / 8, count * (bits / 8), count, 1); }); \
  }                                                                                              \
  MMM_CU_TWIN(cuMemsetD##bits##_v2, _ptds, (void* to, type value, std::size_t count),            \
              (to, value, count))                                                                \
  MMM_CUDA_API CUresult cuMemsetD##bits##Async(void* to, type value, std::size_t count,          \
                                               cudaStream_t stream) {                            \
    return call([&](process& p) {                                                                \
      return fill(p, to, value, bits / 8, count * (bits / 8), count, 1, stream);                 \
    });                                                                                          \
  }                                                                                              \
  MMM_CU_TWIN(cuMemsetD##bits##Async, _ptsz,                                                     \
              (void* to, type value, std::size_t count, cudaStream_t stream),                    \
              (to, value, count, stream))                                                        \
  MMM_CUDA_API CUresult cuMemsetD2D##bits##_v2(void* to, std::size_t pitch, type value,          \
                                               std::size_t width, std::size_t height) {          \
    return call([&](process& p) { return fill(p, to, value, bits / 8, pitch, width, height); }); \
  }                                                                                              \
  MMM_CU_TWIN(cuMemsetD2D##bits##_v2, _ptds,                                                     \
              (void* to, std::size_t pitch, type value, std::size_t width, std::size_t height),  \
              (to, pitch, value, width, height))                                                 \
  MMM_CUDA_API CUresult cuMemsetD2D##bits##Async(void* to, std::size_t pitch, type value,        \
                                                 std::size_t width, std::size_t height,          \
                                                 cudaStream_t stream) {                          \
    return call(                                                                                 \
        [&](process& p) { return fill(p, to, value, bits / 8, pitch, width, height, stream); }); \
  }                                                                                              \
  MMM_CU_TWIN(cuMemsetD2D##bits##Async, _ptsz,                                                   \
              (void* to, std::size_t pitch, type value, std::size_t width, std::size_t height,   \
               cudaStream_t stream),                                                             \
              (to, pitch, value, width, height, stream))

MMM_CU_FILL(8, unsigned char)
MMM_CU_FILL(16, unsigned short)
MMM_CU_FILL(32, unsigned)

}  // namespace device::driver
