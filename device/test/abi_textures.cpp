// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <cuda_runtime_api.h>

// The toolkit's names for its newest versions are macros.
#undef CUDA_ARRAY_DESCRIPTOR
#undef CUDA_ARRAY3D_DESCRIPTOR
#include <device/driver/abi_textures.hpp>

#include <cstddef>

// Compares the device's declarations of the types of arrays, textures and surfaces with the
// toolkit's headers: the file compiles if they agree.
#define MMM_SAME_SIZE(type, own)                                                                  \
  static_assert(                                                                                  \
      sizeof(::type) == sizeof(device::abi::own) && alignof(::type) == alignof(device::abi::own), \
      #type)
#define MMM_SAME_PLACE(type, own, member)                                         \
  static_assert(offsetof(::type, member) == offsetof(device::abi::own, member) && \
                    sizeof(::type::member) == sizeof(device::abi::own::member),   \
                #type "::" #member)
#define MMM_SAME_PART(type, own, part) \
  static_assert(offsetof(::type, part) == offsetof(device::abi::own, part), #type "." #part)
#define MMM_SAME_VALUE(name, own) \
  static_assert(static_cast<unsigned>(::name) == static_cast<unsigned>(device::abi::own), #name)

#define MMM_RUNTIME_PLACE(type, member) MMM_SAME_PLACE(type, type, member)
MMM_SAME_SIZE(cudaTextureDesc, cudaTextureDesc);
MMM_RUNTIME_PLACE(cudaTextureDesc, addressMode);
MMM_RUNTIME_PLACE(cudaTextureDesc, filterMode);
MMM_RUNTIME_PLACE(cudaTextureDesc, readMode);
MMM_RUNTIME_PLACE(cudaTextureDesc, sRGB);
MMM_RUNTIME_PLACE(cudaTextureDesc, borderColor);
MMM_RUNTIME_PLACE(cudaTextureDesc, normalizedCoords);
MMM_RUNTIME_PLACE(cudaTextureDesc, maxAnisotropy);
MMM_RUNTIME_PLACE(cudaTextureDesc, mipmapFilterMode);
MMM_RUNTIME_PLACE(cudaTextureDesc, mipmapLevelBias);
MMM_RUNTIME_PLACE(cudaTextureDesc, minMipmapLevelClamp);
MMM_RUNTIME_PLACE(cudaTextureDesc, maxMipmapLevelClamp);
MMM_RUNTIME_PLACE(cudaTextureDesc, disableTrilinearOptimization);
MMM_RUNTIME_PLACE(cudaTextureDesc, seamlessCubemap);
MMM_SAME_SIZE(cudaResourceDesc, cudaResourceDesc);
MMM_RUNTIME_PLACE(cudaResourceDesc, res);
MMM_RUNTIME_PLACE(cudaResourceDesc, flags);
MMM_SAME_PART(cudaResourceDesc, cudaResourceDesc, res.linear.desc);
MMM_SAME_PART(cudaResourceDesc, cudaResourceDesc, res.linear.sizeInBytes);
MMM_SAME_PART(cudaResourceDesc, cudaResourceDesc, res.pitch2D.width);
MMM_SAME_PART(cudaResourceDesc, cudaResourceDesc, res.pitch2D.pitchInBytes);
MMM_SAME_SIZE(cudaResourceViewDesc, cudaResourceViewDesc);
MMM_RUNTIME_PLACE(cudaResourceViewDesc, width);
MMM_RUNTIME_PLACE(cudaResourceViewDesc, depth);
MMM_RUNTIME_PLACE(cudaResourceViewDesc, firstMipmapLevel);
MMM_RUNTIME_PLACE(cudaResourceViewDesc, lastLayer);
MMM_SAME_SIZE(cudaArrayMemoryRequirements, cudaArrayMemoryRequirements);
MMM_RUNTIME_PLACE(cudaArrayMemoryRequirements, alignment);

MMM_SAME_SIZE(CUDA_ARRAY_DESCRIPTOR_v2, CUDA_ARRAY_DESCRIPTOR);
MMM_SAME_PLACE(CUDA_ARRAY_DESCRIPTOR_v2, CUDA_ARRAY_DESCRIPTOR, Format);
MMM_SAME_PLACE(CUDA_ARRAY_DESCRIPTOR_v2, CUDA_ARRAY_DESCRIPTOR, NumChannels);
MMM_SAME_SIZE(CUDA_ARRAY3D_DESCRIPTOR_v2, CUDA_ARRAY3D_DESCRIPTOR);
MMM_SAME_PLACE(CUDA_ARRAY3D_DESCRIPTOR_v2, CUDA_ARRAY3D_DESCRIPTOR, Format);
MMM_SAME_PLACE(CUDA_ARRAY3D_DESCRIPTOR_v2, CUDA_ARRAY3D_DESCRIPTOR, Flags);
MMM_SAME_SIZE(CUDA_ARRAY_MEMORY_REQUIREMENTS_v1, cudaArrayMemoryRequirements);
MMM_SAME_SIZE(CUDA_RESOURCE_DESC_v1, CUDA_RESOURCE_DESC);
MMM_SAME_PART(CUDA_RESOURCE_DESC_v1, CUDA_RESOURCE_DESC, flags);
MMM_SAME_PART(CUDA_RESOURCE_DESC_v1, CUDA_RESOURCE_DESC, res.linear.numChannels);
MMM_SAME_PART(CUDA_RESOURCE_DESC_v1, CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
MMM_SAME_PART(CUDA_RESOURCE_DESC_v1, CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
MMM_SAME_SIZE(CUDA_TEXTURE_DESC_v1, CUDA_TEXTURE_DESC);
MMM_SAME_PLACE(CUDA_TEXTURE_DESC_v1, CUDA_TEXTURE_DESC, flags);
MMM_SAME_PLACE(CUDA_TEXTURE_DESC_v1, CUDA_TEXTURE_DESC, maxAnisotropy);
MMM_SAME_PLACE(CUDA_TEXTURE_DESC_v1, CUDA_TEXTURE_DESC, mipmapLevelBias);
MMM_SAME_PLACE(CUDA_TEXTURE_DESC_v1, CUDA_TEXTURE_DESC, borderColor);
MMM_SAME_SIZE(CUDA_RESOURCE_VIEW_DESC_v1, cudaResourceViewDesc);

constexpr unsigned toolkit[] = {cudaArrayLayered,
                                cudaArraySurfaceLoadStore,
                                cudaArrayCubemap,
                                cudaArrayTextureGather,
                                CU_TRSF_READ_AS_INTEGER,
                                CU_TRSF_NORMALIZED_COORDINATES,
                                CU_TRSF_SRGB,
                                CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION,
                                CU_TRSF_SEAMLESS_CUBEMAP};
constexpr unsigned own[] = {device::abi::array_layered,
                            device::abi::array_surface_load_store,
                            device::abi::array_cubemap,
                            device::abi::array_texture_gather,
                            device::abi::reads_as_integer,
                            device::abi::normalized_coordinates,
                            device::abi::srgb,
                            device::abi::no_trilinear_optimization,
                            device::abi::seamless_cubemap};
constexpr bool all_same() {
  for (int k = 0; k < 9; ++k)
    if (toolkit[k] != own[k]) return false;
  return true;
}
static_assert(all_same());
MMM_SAME_VALUE(cudaAddressModeBorder, cudaAddressModeBorder);
MMM_SAME_VALUE(CU_TR_ADDRESS_MODE_MIRROR, cudaAddressModeMirror);
MMM_SAME_VALUE(cudaFilterModeLinear, cudaFilterModeLinear);
MMM_SAME_VALUE(CU_TR_FILTER_MODE_LINEAR, cudaFilterModeLinear);
MMM_SAME_VALUE(cudaReadModeNormalizedFloat, cudaReadModeNormalizedFloat);
MMM_SAME_VALUE(cudaResourceTypePitch2D, cudaResourceTypePitch2D);
MMM_SAME_VALUE(CU_RESOURCE_TYPE_LINEAR, cudaResourceTypeLinear);
MMM_SAME_VALUE(cudaResViewFormatUnsignedChar1, cudaResViewFormatUnsignedChar1);
MMM_SAME_VALUE(cudaResViewFormatHalf1, cudaResViewFormatHalf1);
MMM_SAME_VALUE(cudaResViewFormatFloat4, cudaResViewFormatFloat4);
MMM_SAME_VALUE(cudaChannelFormatKindUnsignedNormalized8X1,
               cudaChannelFormatKindUnsignedNormalized8X1);
MMM_SAME_VALUE(cudaChannelFormatKindSignedNormalized16X4,
               cudaChannelFormatKindSignedNormalized16X4);
MMM_SAME_VALUE(CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT8);
MMM_SAME_VALUE(CU_AD_FORMAT_HALF, CU_AD_FORMAT_HALF);
MMM_SAME_VALUE(CU_AD_FORMAT_FLOAT, CU_AD_FORMAT_FLOAT);
MMM_SAME_VALUE(CU_AD_FORMAT_UNORM_INT8X1, CU_AD_FORMAT_UNORM_INT8X1);
MMM_SAME_VALUE(CU_AD_FORMAT_SNORM_INT16X4, CU_AD_FORMAT_SNORM_INT16X4);
