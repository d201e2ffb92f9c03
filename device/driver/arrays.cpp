// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"

#include "entry.hpp"

#include <device/core/failure.hpp>
#include <device/runtime/tables.hpp>

// CUDA arrays: the runtime's.
namespace device::driver {

using runtime::array;

cudaChannelFormatDesc channels_of(CUarray_format format, unsigned channels) {
  require(channels == 1 || channels == 2 || channels == 4, cudaErrorInvalidValue);
  struct row {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
  };
  constexpr row rows[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                          {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                          {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                          {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                          {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                          {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                          {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                          {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
  auto const described = [&](int bits, cudaChannelFormatKind kind) {
    return cudaChannelFormatDesc{bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                 channels > 3 ? bits : 0, kind};
  };
  for (row const& r : rows)
    if (r.format == format) return described(r.bits, r.kind);
  if (format < CU_AD_FORMAT_UNORM_INT8X1 || format > CU_AD_FORMAT_SNORM_INT16X4)
    throw unsupported("arrays of compressed and planar formats are not supported by this device");
  unsigned const k = format - CU_AD_FORMAT_UNORM_INT8X1;
  require(channels == 1U << k % 3, cudaErrorInvalidValue);
  return described(k % 6 < 3 ? 8 : 16, static_cast<cudaChannelFormatKind>(
                                           cudaChannelFormatKindUnsignedNormalized8X1 + k));
}

driver_format format_of(cudaChannelFormatDesc const& c) {
  unsigned const channels = c.w != 0 ? 4 : c.y != 0 ? 2 : 1;
  if (c.f >= cudaChannelFormatKindUnsignedNormalized8X1) {
    unsigned const k = c.f - cudaChannelFormatKindUnsignedNormalized8X1;
    return {static_cast<CUarray_format>(CU_AD_FORMAT_UNORM_INT8X1 + k), channels};
  }
  if (c.f == cudaChannelFormatKindFloat)
    return {c.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT, channels};
  unsigned const size = c.x == 8 ? 0 : c.x == 16 ? 1 : 2;
  unsigned const first =
      c.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return {static_cast<CUarray_format>(first + size), channels};
}

namespace {

CUDA_ARRAY3D_DESCRIPTOR description_of(array const& a) {
  driver_format const f = format_of(a.channels);
  return {a.extent.width, a.extent.height, a.extent.depth, f.format, f.channels, a.flags};
}

}  // namespace

MMM_CUDA_API CUresult cuArrayCreate_v2(cudaArray_t* out, CUDA_ARRAY_DESCRIPTOR const* d) {
  return call([&](process&) {
    require(d != nullptr, cudaErrorInvalidValue);
    cudaChannelFormatDesc const channels = channels_of(d->Format, d->NumChannels);
    return runtime::cudaMallocArray(out, &channels, d->Width, d->Height, 0);
  });
}

MMM_CUDA_API CUresult cuArray3DCreate_v2(cudaArray_t* out, CUDA_ARRAY3D_DESCRIPTOR const* d) {
  return call([&](process&) {
    require(d != nullptr, cudaErrorInvalidValue);
    cudaChannelFormatDesc const channels = channels_of(d->Format, d->NumChannels);
    return runtime::cudaMalloc3DArray(out, &channels, {d->Width, d->Height, d->Depth}, d->Flags);
  });
}

MMM_CUDA_API CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* out, cudaArray_t handle) {
  return call([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    CUDA_ARRAY3D_DESCRIPTOR const d = description_of(runtime::array_of(p, handle));
    *out = {d.Width, d.Height, d.Format, d.NumChannels};
  });
}

MMM_CUDA_API CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* out, cudaArray_t handle) {
  return call([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = description_of(runtime::array_of(p, handle));
  });
}

MMM_CUDA_API CUresult cuArrayDestroy(cudaArray_t handle) {
  return call<needs::initialization>([&](process&) {
    require(handle != nullptr, cudaErrorInvalidResourceHandle);
    return runtime::cudaFreeArray(handle);
  });
}

MMM_CU_FORWARD(cuArrayGetMemoryRequirements, cudaArrayGetMemoryRequirements,
               (cudaArrayMemoryRequirements * out, cudaArray_t handle, CUdevice device),
               (out, handle, device))

MMM_CUDA_API CUresult cuMipmappedArrayCreate(cudaMipmappedArray_t* out,
                                             CUDA_ARRAY3D_DESCRIPTOR const* d, unsigned levels) {
  return call([&](process&) {
    require(d != nullptr, cudaErrorInvalidValue);
    cudaChannelFormatDesc const channels = channels_of(d->Format, d->NumChannels);
    return runtime::cudaMallocMipmappedArray(out, &channels, {d->Width, d->Height, d->Depth},
                                             levels, d->Flags);
  });
}

MMM_CU_FORWARD(cuMipmappedArrayGetLevel, cudaGetMipmappedArrayLevel,
               (cudaArray_t * out, cudaMipmappedArray_t handle, unsigned level),
               (out, handle, level))
MMM_CU_FORWARD(cuMipmappedArrayGetMemoryRequirements, cudaMipmappedArrayGetMemoryRequirements,
               (cudaArrayMemoryRequirements * out, cudaMipmappedArray_t handle, CUdevice device),
               (out, handle, device))

MMM_CUDA_API CUresult cuMipmappedArrayDestroy(cudaMipmappedArray_t handle) {
  return call<needs::initialization>([&](process&) {
    require(handle != nullptr, cudaErrorInvalidResourceHandle);
    return runtime::cudaFreeMipmappedArray(handle);
  });
}

MMM_CUDA_API CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* texels, CUarray_format format,
                                                         unsigned channels, CUdevice device) {
  return call<needs::initialization>([&](process&) {
    cudaChannelFormatDesc const described = channels_of(format, channels);
    return runtime::cudaDeviceGetTexture1DLinearMaxWidth(texels, &described, device);
  });
}

// --- rows of arrays ------------------------------------------------------------------------------

MMM_CUDA_API CUresult cuMemcpyHtoA_v2(cudaArray_t to, std::size_t offset, void const* source,
                                      std::size_t bytes) {
  return call([&](process&) {
    return runtime::cudaMemcpyToArray(to, offset, 0, source, bytes, cudaMemcpyHostToDevice);
  });
}
MMM_CU_TWIN(cuMemcpyHtoA_v2, _ptds,
            (cudaArray_t to, std::size_t offset, void const* source, std::size_t bytes),
            (to, offset, source, bytes))
MMM_CUDA_API CUresult cuMemcpyHtoAAsync_v2(cudaArray_t to, std::size_t offset, void const* source,
                                           std::size_t bytes, cudaStream_t stream) {
  return call([&](process&) {
    return runtime::cudaMemcpyToArrayAsync(to, offset, 0, source, bytes, cudaMemcpyHostToDevice,
                                           stream);
  });
}
MMM_CU_TWIN(cuMemcpyHtoAAsync_v2, _ptsz,
            (cudaArray_t to, std::size_t offset, void const* source, std::size_t bytes,
             cudaStream_t stream),
            (to, offset, source, bytes, stream))
MMM_CUDA_API CUresult cuMemcpyAtoH_v2(void* to, cudaArray_t source, std::size_t offset,
                                      std::size_t bytes) {
  return call([&](process&) {
    return runtime::cudaMemcpyFromArray(to, source, offset, 0, bytes, cudaMemcpyDeviceToHost);
  });
}
MMM_CU_TWIN(cuMemcpyAtoH_v2, _ptds,
            (void* to, cudaArray_t source, std::size_t offset, std::size_t bytes),
            (to, source, offset, bytes))
MMM_CUDA_API CUresult cuMemcpyAtoHAsync_v2(void* to, cudaArray_t source, std::size_t offset,
                                           std::size_t bytes, cudaStream_t stream) {
  return call([&](process&) {
    return runtime::cudaMemcpyFromArrayAsync(to, source, offset, 0, bytes, cudaMemcpyDeviceToHost,
                                             stream);
  });
}
MMM_CU_TWIN(cuMemcpyAtoHAsync_v2, _ptsz,
            (void* to, cudaArray_t source, std::size_t offset, std::size_t bytes,
             cudaStream_t stream),
            (to, source, offset, bytes, stream))
MMM_CUDA_API CUresult cuMemcpyDtoA_v2(cudaArray_t to, std::size_t offset, void* source,
                                      std::size_t bytes) {
  return call([&](process&) {
    return runtime::cudaMemcpyToArray(to, offset, 0, source, bytes, cudaMemcpyDeviceToDevice);
  });
}
MMM_CU_TWIN(cuMemcpyDtoA_v2, _ptds,
            (cudaArray_t to, std::size_t offset, void* source, std::size_t bytes),
            (to, offset, source, bytes))
MMM_CUDA_API CUresult cuMemcpyAtoD_v2(void* to, cudaArray_t source, std::size_t offset,
                                      std::size_t bytes) {
  return call([&](process&) {
    return runtime::cudaMemcpyFromArray(to, source, offset, 0, bytes, cudaMemcpyDeviceToDevice);
  });
}
MMM_CU_TWIN(cuMemcpyAtoD_v2, _ptds,
            (void* to, cudaArray_t source, std::size_t offset, std::size_t bytes),
            (to, source, offset, bytes))
MMM_CUDA_API CUresult cuMemcpyAtoA_v2(cudaArray_t to, std::size_t to_offset, cudaArray_t source,
                                      std::size_t offset, std::size_t bytes) {
  return call([&](process&) {
    return runtime::cudaMemcpy2DArrayToArray(to, to_offset, 0, source, offset, 0, bytes, 1,
                                             cudaMemcpyDeviceToDevice);
  });
}
MMM_CU_TWIN(cuMemcpyAtoA_v2, _ptds,
            (cudaArray_t to, std::size_t to_offset, cudaArray_t source, std::size_t offset,
             std::size_t bytes),
            (to, to_offset, source, offset, bytes))

}  // namespace device::driver
