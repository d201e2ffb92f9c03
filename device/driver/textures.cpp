// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"
#include "entry.hpp"

#include <algorithm>
#include <optional>

// Texture and surface objects: the runtime's. Texture references are gone since CUDA 12.
namespace device::driver {

namespace {

cudaResourceDesc resource_of(CUDA_RESOURCE_DESC const* d) {
  require(d != nullptr, cudaErrorInvalidValue);
  cudaResourceDesc r{};
  r.resType = d->resType;
  r.flags = d->flags;
  switch (d->resType) {
    case cudaResourceTypeArray:
      r.res.array.array = d->res.array.hArray;
      break;
    case cudaResourceTypeMipmappedArray:
      r.res.mipmap.mipmap = d->res.mipmap.hMipmappedArray;
      break;
    case cudaResourceTypeLinear: {
      auto const& l = d->res.linear;
      r.res.linear = {l.devPtr, channels_of(l.format, l.numChannels), l.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      auto const& l = d->res.pitch2D;
      r.res.pitch2D = {l.devPtr, channels_of(l.format, l.numChannels), l.width, l.height,
                       l.pitchInBytes};
      break;
    }
  }
  return r;
}

CUDA_RESOURCE_DESC resource_of(cudaResourceDesc const& d) {
  CUDA_RESOURCE_DESC r{};
  r.resType = d.resType;
  r.flags = d.flags;
  switch (d.resType) {
    case cudaResourceTypeArray:
      r.res.array.hArray = d.res.array.array;
      break;
    case cudaResourceTypeMipmappedArray:
      r.res.mipmap.hMipmappedArray = d.res.mipmap.mipmap;
      break;
    case cudaResourceTypeLinear: {
      auto const& l = d.res.linear;
      driver_format const f = format_of(l.desc);
      r.res.linear = {l.devPtr, f.format, f.channels, l.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      auto const& l = d.res.pitch2D;
      driver_format const f = format_of(l.desc);
      r.res.pitch2D = {l.devPtr, f.format, f.channels, l.width, l.height, l.pitchInBytes};
      break;
    }
  }
  return r;
}

cudaTextureDesc texture_of(CUDA_TEXTURE_DESC const* d) {
  constexpr unsigned known = reads_as_integer | normalized_coordinates | srgb |
                             no_trilinear_optimization | seamless_cubemap;
  require(d != nullptr && (d->flags & ~known) == 0, cudaErrorInvalidValue);
  cudaTextureDesc t{};
  std::copy_n(d->addressMode, 3, t.addressMode);
  t.filterMode = d->filterMode;
  t.readMode =
      (d->flags & reads_as_integer) != 0 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  t.sRGB = (d->flags & srgb) != 0;
  std::copy_n(d->borderColor, 4, t.borderColor);
  t.normalizedCoords = (d->flags & normalized_coordinates) != 0;
  t.maxAnisotropy = d->maxAnisotropy;
  t.mipmapFilterMode = d->mipmapFilterMode;
  t.mipmapLevelBias = d->mipmapLevelBias;
  t.minMipmapLevelClamp = d->minMipmapLevelClamp;
  t.maxMipmapLevelClamp = d->maxMipmapLevelClamp;
  t.disableTrilinearOptimization = (d->flags & no_trilinear_optimization) != 0;
  t.seamlessCubemap = (d->flags & seamless_cubemap) != 0;
  return t;
}

CUDA_TEXTURE_DESC texture_of(cudaTextureDesc const& d) {
  CUDA_TEXTURE_DESC t{};
  std::copy_n(d.addressMode, 3, t.addressMode);
  t.filterMode = d.filterMode;
  t.flags = (d.readMode == cudaReadModeElementType ? reads_as_integer : 0) |
            (d.sRGB != 0 ? srgb : 0) | (d.normalizedCoords != 0 ? normalized_coordinates : 0) |
            (d.disableTrilinearOptimization != 0 ? no_trilinear_optimization : 0) |
            (d.seamlessCubemap != 0 ? seamless_cubemap : 0);
  std::copy_n(d.borderColor, 4, t.borderColor);
  t.maxAnisotropy = d.maxAnisotropy;
  t.mipmapFilterMode = d.mipmapFilterMode;
  t.mipmapLevelBias = d.mipmapLevelBias;
  t.minMipmapLevelClamp = d.minMipmapLevelClamp;
  t.maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  return t;
}

}  // namespace

MMM_CUDA_API CUresult cuTexObjectCreate(cudaTextureObject_t* out,
                                        CUDA_RESOURCE_DESC const* resource,
                                        CUDA_TEXTURE_DESC const* how,
                                        cudaResourceViewDesc const* view) {
  return call([&](process&) {
    cudaResourceDesc const r = resource_of(resource);
    cudaTextureDesc const t = texture_of(how);
    return runtime::cudaCreateTextureObject(out, &r, &t, view);
  });
}
MMM_CU_FORWARD(cuTexObjectDestroy, cudaDestroyTextureObject, (cudaTextureObject_t number), (number))

MMM_CUDA_API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* out,
                                                 cudaTextureObject_t number) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    cudaResourceDesc d{};
    cudaError_t const e = runtime::cudaGetTextureObjectResourceDesc(&d, number);
    if (e == cudaSuccess) *out = resource_of(d);
    return e;
  });
}
MMM_CUDA_API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* out,
                                                cudaTextureObject_t number) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    cudaTextureDesc d{};
    cudaError_t const e = runtime::cudaGetTextureObjectTextureDesc(&d, number);
    if (e == cudaSuccess) *out = texture_of(d);
    return e;
  });
}
MMM_CU_FORWARD(cuTexObjectGetResourceViewDesc, cudaGetTextureObjectResourceViewDesc,
               (cudaResourceViewDesc * out, cudaTextureObject_t number), (out, number))

MMM_CUDA_API CUresult cuSurfObjectCreate(cudaSurfaceObject_t* out,
                                         CUDA_RESOURCE_DESC const* resource) {
  return call([&](process&) {
    cudaResourceDesc const r = resource_of(resource);
    return runtime::cudaCreateSurfaceObject(out, &r);
  });
}
MMM_CU_FORWARD(cuSurfObjectDestroy, cudaDestroySurfaceObject, (cudaSurfaceObject_t number),
               (number))
MMM_CUDA_API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* out,
                                                  cudaSurfaceObject_t number) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    cudaResourceDesc d{};
    cudaError_t const e = runtime::cudaGetSurfaceObjectResourceDesc(&d, number);
    if (e == cudaSuccess) *out = resource_of(d);
    return e;
  });
}

}  // namespace device::driver
