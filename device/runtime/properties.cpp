// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"
#include "process.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

// The properties of the GPU that programs ask for. Figures that no preset has are those of compute
// capabilities from 7.5 on in the CUDA C++ Programming Guide 13.0 (technical specifications).
// Sharing between processes and persistence in L2 are reported as missing, as this device has none.
namespace device::runtime {

using namespace abi;

namespace {

constexpr int max_int = 2147483647;
constexpr int texture_pitch_alignment = 32;
constexpr int constant_bytes = 65536;
constexpr int layers = 2048;
constexpr int cubemap_layers = 2046;

template <std::size_t N>
void set(int (&to)[N], std::initializer_list<int> values) {
  std::copy(values.begin(), values.end(), to);
}

void set_textures(cudaDeviceProp& d) {
  d.textureAlignment = texture_alignment;
  d.texturePitchAlignment = texture_pitch_alignment;
  d.surfaceAlignment = texture_alignment;
  d.maxTexture1D = 131072;
  d.maxTexture1DMipmap = 32768;
  set(d.maxTexture2D, {131072, 65536});
  set(d.maxTexture2DMipmap, {32768, 32768});
  set(d.maxTexture2DLinear, {131072, 65000, 2097120});
  set(d.maxTexture2DGather, {32768, 32768});
  set(d.maxTexture3D, {16384, 16384, 16384});
  set(d.maxTexture3DAlt, {8192, 8192, 32768});
  d.maxTextureCubemap = 32768;
  set(d.maxTexture1DLayered, {32768, layers});
  set(d.maxTexture2DLayered, {32768, 32768, layers});
  set(d.maxTextureCubemapLayered, {32768, cubemap_layers});
  d.maxSurface1D = 32768;
  set(d.maxSurface2D, {131072, 65536});
  set(d.maxSurface3D, {16384, 16384, 16384});
  set(d.maxSurface1DLayered, {32768, layers});
  set(d.maxSurface2DLayered, {32768, 32768, layers});
  d.maxSurfaceCubemap = 32768;
  set(d.maxSurfaceCubemapLayered, {32768, cubemap_layers});
}

cudaDeviceProp properties_of(gpu const& g, int device) {
  cudaDeviceProp d{};
  std::strncpy(d.name, g.product, sizeof d.name - 1);
  std::memcpy(d.uuid, "mmm-run device ", 15);
  d.uuid[15] = static_cast<char>(device);
  d.totalGlobalMem = g.memory_bytes();
  d.sharedMemPerBlock = shared_bytes_per_block;
  d.regsPerBlock = registers_per_block;
  d.warpSize = 32;
  d.memPitch = max_int;
  d.maxThreadsPerBlock = static_cast<int>(g.facts.max_threads_per_block);
  set(d.maxThreadsDim, {1024, 1024, 64});
  set(d.maxGridSize, {max_int, 65535, 65535});
  d.totalConstMem = constant_bytes;
  d.major = g.capability() / 10;
  d.minor = g.capability() % 10;
  set_textures(d);
  d.multiProcessorCount = g.multiprocessors();
  d.canMapHostMemory = 1;
  d.concurrentKernels = 1;
  d.ECCEnabled = g.ecc ? 1 : 0;
  d.pciBusID = device + 1;
  d.asyncEngineCount = g.copy_engines;
  d.unifiedAddressing = 1;
  d.memoryBusWidth = g.memory_bus_bits;
  d.l2CacheSize = static_cast<int>(g.facts.l2_bytes);
  d.maxThreadsPerMultiProcessor = static_cast<int>(g.facts.max_threads_per_sm);
  d.streamPrioritiesSupported = 1;
  d.globalL1CacheSupported = 1;
  d.localL1CacheSupported = 1;
  d.sharedMemPerMultiprocessor = static_cast<std::size_t>(g.shared_bytes_per_multiprocessor());
  d.regsPerMultiprocessor = registers_per_multiprocessor;
  d.managedMemory = 1;
  d.concurrentManagedAccess = 1;
  d.computePreemptionSupported = 1;
  d.canUseHostPointerForRegisteredMem = 1;
  d.cooperativeLaunch = 1;
  d.clusterLaunch = g.capability() >= 90 ? 1 : 0;
  d.sharedMemPerBlockOptin = static_cast<std::size_t>(g.shared_bytes_per_block_opt_in());
  d.maxBlocksPerMultiProcessor = g.blocks_per_multiprocessor();
  d.reservedSharedMemPerBlock = static_cast<std::size_t>(g.reserved_shared_bytes_per_block());
  d.hostRegisterSupported = 1;
  d.hostRegisterReadOnlySupported = 1;
  d.memoryPoolsSupported = 1;
  return d;
}

//! Attributes that are a size of textures or surfaces.
std::optional<int> texture_attribute(cudaDeviceAttr a, cudaDeviceProp const& d) {
  switch (a) {
    case cudaDevAttrMaxTexture1DWidth:
      return d.maxTexture1D;
    case cudaDevAttrMaxTexture2DWidth:
      return d.maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight:
      return d.maxTexture2D[1];
    case cudaDevAttrMaxTexture3DWidth:
      return d.maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight:
      return d.maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth:
      return d.maxTexture3D[2];
    case cudaDevAttrMaxTexture2DLayeredWidth:
      return d.maxTexture2DLayered[0];
    case cudaDevAttrMaxTexture2DLayeredHeight:
      return d.maxTexture2DLayered[1];
    case cudaDevAttrMaxTexture2DLayeredLayers:
      return d.maxTexture2DLayered[2];
    case cudaDevAttrMaxTexture1DLayeredWidth:
      return d.maxTexture1DLayered[0];
    case cudaDevAttrMaxTexture1DLayeredLayers:
      return d.maxTexture1DLayered[1];
    case cudaDevAttrMaxTexture2DGatherWidth:
      return d.maxTexture2DGather[0];
    case cudaDevAttrMaxTexture2DGatherHeight:
      return d.maxTexture2DGather[1];
    case cudaDevAttrMaxTexture3DWidthAlt:
      return d.maxTexture3DAlt[0];
    case cudaDevAttrMaxTexture3DHeightAlt:
      return d.maxTexture3DAlt[1];
    case cudaDevAttrMaxTexture3DDepthAlt:
      return d.maxTexture3DAlt[2];
    case cudaDevAttrMaxTextureCubemapWidth:
      return d.maxTextureCubemap;
    case cudaDevAttrMaxTextureCubemapLayeredWidth:
      return d.maxTextureCubemapLayered[0];
    case cudaDevAttrMaxTextureCubemapLayeredLayers:
      return d.maxTextureCubemapLayered[1];
    case cudaDevAttrMaxSurface1DWidth:
      return d.maxSurface1D;
    case cudaDevAttrMaxSurface2DWidth:
      return d.maxSurface2D[0];
    case cudaDevAttrMaxSurface2DHeight:
      return d.maxSurface2D[1];
    case cudaDevAttrMaxSurface3DWidth:
      return d.maxSurface3D[0];
    case cudaDevAttrMaxSurface3DHeight:
      return d.maxSurface3D[1];
    case cudaDevAttrMaxSurface3DDepth:
      return d.maxSurface3D[2];
    case cudaDevAttrMaxSurface1DLayeredWidth:
      return d.maxSurface1DLayered[0];
    case cudaDevAttrMaxSurface1DLayeredLayers:
      return d.maxSurface1DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredWidth:
      return d.maxSurface2DLayered[0];
    case cudaDevAttrMaxSurface2DLayeredHeight:
      return d.maxSurface2DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredLayers:
      return d.maxSurface2DLayered[2];
    case cudaDevAttrMaxSurfaceCubemapWidth:
      return d.maxSurfaceCubemap;
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
      return d.maxSurfaceCubemapLayered[0];
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
      return d.maxSurfaceCubemapLayered[1];
    case cudaDevAttrMaxTexture1DLinearWidth:
      return 1 << 28;
    case cudaDevAttrMaxTexture2DLinearWidth:
      return d.maxTexture2DLinear[0];
    case cudaDevAttrMaxTexture2DLinearHeight:
      return d.maxTexture2DLinear[1];
    case cudaDevAttrMaxTexture2DLinearPitch:
      return d.maxTexture2DLinear[2];
    case cudaDevAttrMaxTexture2DMipmappedWidth:
      return d.maxTexture2DMipmap[0];
    case cudaDevAttrMaxTexture2DMipmappedHeight:
      return d.maxTexture2DMipmap[1];
    case cudaDevAttrMaxTexture1DMipmappedWidth:
      return d.maxTexture1DMipmap;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
      return static_cast<int>(texture_alignment);
    case cudaDevAttrTexturePitchAlignment:
      return texture_pitch_alignment;
    default:
      return std::nullopt;
  }
}

//! All others; nothing if there is no such attribute.
std::optional<int> attribute_of(cudaDeviceAttr a, gpu const& g, cudaDeviceProp const& d) {
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock:
      return d.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return d.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return d.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return d.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return d.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return d.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return d.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return shared_bytes_per_block;
    case cudaDevAttrTotalConstantMemory:
      return constant_bytes;
    case cudaDevAttrWarpSize:
      return d.warpSize;
    case cudaDevAttrMaxPitch:
      return max_int;
    case cudaDevAttrMaxRegistersPerBlock:
      return registers_per_block;
    case cudaDevAttrClockRate:
      return static_cast<int>(g.facts.clock_mhz) * 1000;
    case cudaDevAttrMemoryClockRate:
      return g.memory_clock_mhz * 1000;
    case cudaDevAttrGlobalMemoryBusWidth:
      return d.memoryBusWidth;
    case cudaDevAttrMultiProcessorCount:
      return d.multiProcessorCount;
    case cudaDevAttrPciBusId:
      return d.pciBusID;
    case cudaDevAttrEccEnabled:
      return d.ECCEnabled;
    case cudaDevAttrL2CacheSize:
      return d.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return d.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount:
      return d.asyncEngineCount;
    case cudaDevAttrComputeCapabilityMajor:
      return d.major;
    case cudaDevAttrComputeCapabilityMinor:
      return d.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return g.shared_bytes_per_multiprocessor();
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return d.regsPerMultiprocessor;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return g.double_ratio;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return g.shared_bytes_per_block_opt_in();
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return d.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return g.reserved_shared_bytes_per_block();
    case cudaDevAttrMemSyncDomainCount:
      return 1;
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId:
      return -1;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrClusterLaunch:
      return d.clusterLaunch;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrHostRegisterReadOnlySupported:
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
    default:
      return a >= cudaDevAttrMaxThreadsPerBlock && a < cudaDevAttrMax ? std::optional(0)
                                                                      : std::nullopt;
  }
}

}  // namespace

int device_attribute(process& p, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp const d = properties_of(p.chip, p.of_device(device).number);
  auto value = texture_attribute(attribute, d);
  if (!value) value = attribute_of(attribute, p.chip, d);
  require(value.has_value(), cudaErrorInvalidValue);
  return *value;
}

MMM_CUDA_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  return api(
      [&](process& p) {
        require(out != nullptr, cudaErrorInvalidValue);
        *out = properties_of(p.chip, p.of_device(device).number);
      },
      after_fault::works);
}

MMM_CUDA_API cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device) {
  return api(
      [&](process& p) {
        require(out != nullptr, cudaErrorInvalidValue);
        *out = device_attribute(p, attribute, device);
      },
      after_fault::works);
}

}  // namespace device::runtime
