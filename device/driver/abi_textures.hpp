// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/driver/abi.hpp>
#include <device/runtime/abi_textures.hpp>

#include <cstddef>

//! The types of CUDA 13's driver interface that describe arrays and textures, where they differ
//! from the runtime's. A CUarray is a cudaArray_t, a CUtexObject a cudaTextureObject_t.
//! device/test/abi_textures.cpp compares them with the toolkit's headers.
namespace device::abi {

enum CUarray_format : unsigned {
  CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  CU_AD_FORMAT_SIGNED_INT8 = 0x08,
  CU_AD_FORMAT_SIGNED_INT16 = 0x09,
  CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
  CU_AD_FORMAT_HALF = 0x10,
  CU_AD_FORMAT_FLOAT = 0x20,
  CU_AD_FORMAT_UNORM_INT8X1 = 0xc0,  //!< the first of 12 normalized formats, in the runtime's order
  CU_AD_FORMAT_SNORM_INT16X4 = 0xcb
};

struct CUDA_ARRAY_DESCRIPTOR {
  std::size_t Width, Height;
  CUarray_format Format;
  unsigned NumChannels;
};

struct CUDA_ARRAY3D_DESCRIPTOR {
  std::size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned NumChannels, Flags;
};

struct CUDA_RESOURCE_DESC {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t hArray;
    } array;
    struct {
      cudaMipmappedArray_t hMipmappedArray;
    } mipmap;
    struct {
      void* devPtr;
      CUarray_format format;
      unsigned numChannels;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      CUarray_format format;
      unsigned numChannels;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
};

struct CUDA_TEXTURE_DESC {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  unsigned flags, maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};
// CU_TRSF_READ_AS_INTEGER and so on, which the toolkit has as macros
inline constexpr unsigned reads_as_integer = 0x01;
inline constexpr unsigned normalized_coordinates = 0x02;
inline constexpr unsigned srgb = 0x10;
inline constexpr unsigned no_trilinear_optimization = 0x20;
inline constexpr unsigned seamless_cubemap = 0x40;

}  // namespace device::abi
