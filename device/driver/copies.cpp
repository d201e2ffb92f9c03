// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copies.hpp"

#include "contexts.hpp"

#include <device/runtime/tables.hpp>

namespace device::driver {

namespace {

//! One side of a box that is copied.
struct side {
  CUmemorytype type;
  void* host;
  void* device;
  cudaArray_t array;
  std::size_t pitch, rows;
};

bool is_host(side const& s) { return s.type == CU_MEMORYTYPE_HOST; }

cudaPitchedPtr pointer_of(side const& s, std::size_t width, std::size_t height) {
  if (s.type == CU_MEMORYTYPE_ARRAY) return {};
  require(s.type >= CU_MEMORYTYPE_HOST && s.type <= CU_MEMORYTYPE_UNIFIED, cudaErrorInvalidValue);
  // A pitch of 0 stands for rows without a gap.
  return {is_host(s) ? s.host : s.device, s.pitch == 0 ? width : s.pitch, width,
          s.rows == 0 ? height : s.rows};
}

cudaMemcpyKind kind_of(side const& source, side const& destination) {
  if (source.type == CU_MEMORYTYPE_UNIFIED || destination.type == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (is_host(source)) return is_host(destination) ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return is_host(destination) ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

}  // namespace

cudaMemcpy3DParms box_of(process& p, CUDA_MEMCPY3D const& c) {
  require(c.srcLOD == 0 && c.dstLOD == 0, cudaErrorInvalidValue);
  side const source{c.srcMemoryType, const_cast<void*>(c.srcHost),
                    c.srcDevice,     c.srcArray,
                    c.srcPitch,      c.srcHeight};
  side const destination{c.dstMemoryType, c.dstHost,  c.dstDevice,
                         c.dstArray,      c.dstPitch, c.dstHeight};
  cudaMemcpy3DParms box{};
  box.srcPtr = pointer_of(source, c.srcXInBytes + c.WidthInBytes, c.srcY + c.Height);
  box.dstPtr = pointer_of(destination, c.dstXInBytes + c.WidthInBytes, c.dstY + c.Height);
  box.srcPos = {c.srcXInBytes, c.srcY, c.srcZ};
  box.dstPos = {c.dstXInBytes, c.dstY, c.dstZ};
  box.extent = {c.WidthInBytes, c.Height, c.Depth};
  box.kind = kind_of(source, destination);
  // The runtime counts the texels of an array, and of a box that one takes part in; here are bytes.
  auto const in_texels = [&](side const& s, cudaArray_t& array, cudaPos& position) {
    if (s.type != CU_MEMORYTYPE_ARRAY) return;
    array = s.array;
    auto const size = static_cast<std::size_t>(runtime::array_of(p, s.array).format.bytes());
    require(position.x % size == 0 && c.WidthInBytes % size == 0, cudaErrorInvalidValue);
    position.x /= size;
    box.extent.width = c.WidthInBytes / size;
  };
  in_texels(source, box.srcArray, box.srcPos);
  in_texels(destination, box.dstArray, box.dstPos);
  return box;
}

CUDA_MEMCPY3D copy_of(process& p, cudaMemcpy3DParms const& box) {
  CUDA_MEMCPY3D c{};
  bool const from_host = box.kind == cudaMemcpyHostToHost || box.kind == cudaMemcpyHostToDevice;
  bool const to_host = box.kind == cudaMemcpyHostToHost || box.kind == cudaMemcpyDeviceToHost;
  bool const unified = box.kind == cudaMemcpyDefault;
  c.srcMemoryType = unified     ? CU_MEMORYTYPE_UNIFIED
                    : from_host ? CU_MEMORYTYPE_HOST
                                : CU_MEMORYTYPE_DEVICE;
  c.dstMemoryType = unified   ? CU_MEMORYTYPE_UNIFIED
                    : to_host ? CU_MEMORYTYPE_HOST
                              : CU_MEMORYTYPE_DEVICE;
  if (from_host)
    c.srcHost = box.srcPtr.ptr;
  else
    c.srcDevice = box.srcPtr.ptr;
  (to_host ? c.dstHost : c.dstDevice) = box.dstPtr.ptr;
  c.srcXInBytes = box.srcPos.x;
  c.srcY = box.srcPos.y;
  c.srcZ = box.srcPos.z;
  c.srcPitch = box.srcPtr.pitch;
  c.srcHeight = box.srcPtr.ysize;
  c.dstXInBytes = box.dstPos.x;
  c.dstY = box.dstPos.y;
  c.dstZ = box.dstPos.z;
  c.dstPitch = box.dstPtr.pitch;
  c.dstHeight = box.dstPtr.ysize;
  c.WidthInBytes = box.extent.width;
  c.Height = box.extent.height;
  c.Depth = box.extent.depth;
  if (box.srcArray != nullptr) {
    auto const size = static_cast<std::size_t>(runtime::array_of(p, box.srcArray).format.bytes());
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    c.srcArray = box.srcArray;
    c.srcXInBytes = box.srcPos.x * size;
    c.WidthInBytes = box.extent.width * size;
  }
  if (box.dstArray != nullptr) {
    auto const size = static_cast<std::size_t>(runtime::array_of(p, box.dstArray).format.bytes());
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = box.dstArray;
    c.dstXInBytes = box.dstPos.x * size;
    c.WidthInBytes = box.extent.width * size;
  }
  return c;
}

namespace {

CUDA_MEMCPY3D three_dimensional(CUDA_MEMCPY2D const& c) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = c.srcXInBytes;
  box.srcY = c.srcY;
  box.srcMemoryType = c.srcMemoryType;
  box.srcHost = c.srcHost;
  box.srcDevice = c.srcDevice;
  box.srcArray = c.srcArray;
  box.srcPitch = c.srcPitch;
  box.dstXInBytes = c.dstXInBytes;
  box.dstY = c.dstY;
  box.dstMemoryType = c.dstMemoryType;
  box.dstHost = c.dstHost;
  box.dstDevice = c.dstDevice;
  box.dstArray = c.dstArray;
  box.dstPitch = c.dstPitch;
  box.WidthInBytes = c.WidthInBytes;
  box.Height = c.Height;
  box.Depth = 1;
  return box;
}

cudaError_t copy(process& p, CUDA_MEMCPY2D const* c) {
  require(c != nullptr, cudaErrorInvalidValue);
  cudaMemcpy3DParms const box = box_of(p, three_dimensional(*c));
  return runtime::cudaMemcpy3D(&box);
}
cudaError_t copy(process& p, CUDA_MEMCPY2D const* c, cudaStream_t stream) {
  require(c != nullptr, cudaErrorInvalidValue);
  cudaMemcpy3DParms const box = box_of(p, three_dimensional(*c));
  return runtime::cudaMemcpy3DAsync(&box, stream);
}
cudaError_t copy(process& p, CUDA_MEMCPY3D const* c) {
  require(c != nullptr, cudaErrorInvalidValue);
  cudaMemcpy3DParms const box = box_of(p, *c);
  return runtime::cudaMemcpy3D(&box);
}
cudaError_t copy(process& p, CUDA_MEMCPY3D const* c, cudaStream_t stream) {
  require(c != nullptr, cudaErrorInvalidValue);
  cudaMemcpy3DParms const box = box_of(p, *c);
  return runtime::cudaMemcpy3DAsync(&box, stream);
}

void check_peers(process& p, CUDA_MEMCPY3D const* c) {
  require(c != nullptr, cudaErrorInvalidValue);
  (void)device_of(p, c->srcContext);
  (void)device_of(p, c->dstContext);
}

}  // namespace

// --- rows ----------------------------------------------------------------------------------------

#define MMM_CU_COPY(name, suffix, destination, source, kind)                                       \
  MMM_CUDA_API CUresult cuMemcpy##name(destination to, source source_pointer, std::size_t bytes) { \
    return call([&](process&) { return runtime::cudaMemcpy(to, source_pointer, bytes, kind); });   \
  }                                                                                                \
  MMM_CU_TWIN(cuMemcpy##name, _ptds, (destination to, source source_pointer, std::size_t bytes),   \
              (to, source_pointer, bytes))                                                         \
  MMM_CUDA_API CUresult cuMemcpy##suffix(destination to, source source_pointer, std::size_t bytes, \
                                         cudaStream_t stream) {                                    \
    return call([&](process&) {                                                                    \
      return runtime::cudaMemcpyAsync(to, source_pointer, bytes, kind, stream);                    \
    });                                                                                            \
  }                                                                                                \
  MMM_CU_TWIN(cuMemcpy##suffix, _ptsz,                                                             \
              (destination to, source source_pointer, std::size_t bytes, cudaStream_t stream),     \
              (to, source_pointer, bytes, stream))

MMM_CU_COPY(HtoD_v2, HtoDAsync_v2, void*, void const*, cudaMemcpyHostToDevice)
MMM_CU_COPY(DtoH_v2, DtoHAsync_v2, void*, void*, cudaMemcpyDeviceToHost)
MMM_CU_COPY(DtoD_v2, DtoDAsync_v2, void*, void*, cudaMemcpyDeviceToDevice)
MMM_CU_COPY(, Async, void*, void*, cudaMemcpyDefault)

MMM_CUDA_API CUresult cuMemcpyPeer(void* to, CUcontext to_context, void* source_pointer,
                                   CUcontext source_context, std::size_t bytes) {
  return call([&](process& p) {
    return runtime::cudaMemcpyPeer(to, device_of(p, to_context), source_pointer,
                                   device_of(p, source_context), bytes);
  });
}
MMM_CU_TWIN(cuMemcpyPeer, _ptds,
            (void* to, CUcontext to_context, void* source_pointer, CUcontext source_context,
             std::size_t bytes),
            (to, to_context, source_pointer, source_context, bytes))
MMM_CUDA_API CUresult cuMemcpyPeerAsync(void* to, CUcontext to_context, void* source_pointer,
                                        CUcontext source_context, std::size_t bytes,
                                        cudaStream_t stream) {
  return call([&](process& p) {
    return runtime::cudaMemcpyPeerAsync(to, device_of(p, to_context), source_pointer,
                                        device_of(p, source_context), bytes, stream);
  });
}
MMM_CU_TWIN(cuMemcpyPeerAsync, _ptsz,
            (void* to, CUcontext to_context, void* source_pointer, CUcontext source_context,
             std::size_t bytes, cudaStream_t stream),
            (to, to_context, source_pointer, source_context, bytes, stream))

// --- boxes ---------------------------------------------------------------------------------------

#define MMM_CU_COPY_BOX(name, suffix, type)                          \
  MMM_CUDA_API CUresult name(type const* c) {                        \
    return call([&](process& p) { return copy(p, c); });             \
  }                                                                  \
  MMM_CU_TWIN(name, _ptds, (type const* c), (c))                     \
  MMM_CUDA_API CUresult suffix(type const* c, cudaStream_t stream) { \
    return call([&](process& p) { return copy(p, c, stream); });     \
  }                                                                  \
  MMM_CU_TWIN(suffix, _ptsz, (type const* c, cudaStream_t stream), (c, stream))

MMM_CU_COPY_BOX(cuMemcpy2D_v2, cuMemcpy2DAsync_v2, CUDA_MEMCPY2D)
MMM_CU_COPY_BOX(cuMemcpy3D_v2, cuMemcpy3DAsync_v2, CUDA_MEMCPY3D)

MMM_CUDA_API CUresult cuMemcpy2DUnaligned_v2(CUDA_MEMCPY2D const* c) {
  return call([&](process& p) { return copy(p, c); });
}
MMM_CU_TWIN(cuMemcpy2DUnaligned_v2, _ptds, (CUDA_MEMCPY2D const* c), (c))

MMM_CUDA_API CUresult cuMemcpy3DPeer(CUDA_MEMCPY3D const* c) {
  return call([&](process& p) {
    check_peers(p, c);
    return copy(p, c);
  });
}
MMM_CU_TWIN(cuMemcpy3DPeer, _ptds, (CUDA_MEMCPY3D const* c), (c))
MMM_CUDA_API CUresult cuMemcpy3DPeerAsync(CUDA_MEMCPY3D const* c, cudaStream_t stream) {
  return call([&](process& p) {
    check_peers(p, c);
    return copy(p, c, stream);
  });
}
MMM_CU_TWIN(cuMemcpy3DPeerAsync, _ptsz, (CUDA_MEMCPY3D const* c, cudaStream_t stream), (c, stream))

}  // namespace device::driver
