// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/abi.hpp>

#include <cstddef>
#include <cstdint>

//! The types of CUDA 13's driver interface that the runtime's has not, with CUDA's own names and
//! memory layout. Where both have equal types, as of most handles and attributes, the runtime's
//! stand for both; an address of the device (CUdeviceptr) is a void*. device/test/driver_abi.cpp
//! compares them with the toolkit's headers.
namespace device::abi {

enum CUresult : unsigned {
#define MMM_CU_ERROR(value, name, text) name = value,
#include "errors.def"
#undef MMM_CU_ERROR
};

using CUdevice = int;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUlinkState = struct CUlinkState_st*;

enum CUjit_option : unsigned {
  CU_JIT_WALL_TIME = 2,
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_NUM_OPTIONS = 35
};

enum CUjitInputType : unsigned {
  CU_JIT_INPUT_CUBIN = 0,
  CU_JIT_INPUT_PTX = 1,
  CU_JIT_INPUT_FATBINARY = 2,
  CU_JIT_INPUT_OBJECT = 3,
  CU_JIT_INPUT_LIBRARY = 4,
  CU_JIT_INPUT_NVVM = 5
};

enum CUmemorytype : unsigned {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
};

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  cudaStream_t hStream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

struct CUDA_MEMCPY2D {
  std::size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  void const* srcHost;
  void* srcDevice;
  cudaArray_t srcArray;
  std::size_t srcPitch;
  std::size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  void* dstDevice;
  cudaArray_t dstArray;
  std::size_t dstPitch;
  std::size_t WidthInBytes, Height;
};

//! CUDA_MEMCPY3D and, whose contexts are in the place of what that reserves, CUDA_MEMCPY3D_PEER.
struct CUDA_MEMCPY3D {
  std::size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  void const* srcHost;
  void* srcDevice;
  cudaArray_t srcArray;
  CUcontext srcContext;
  std::size_t srcPitch, srcHeight;
  std::size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  void* dstDevice;
  cudaArray_t dstArray;
  CUcontext dstContext;
  std::size_t dstPitch, dstHeight;
  std::size_t WidthInBytes, Height, Depth;
};

}  // namespace device::abi
