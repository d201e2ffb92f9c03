// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <device/driver/abi.hpp>

#include <cstddef>

// Compares the device's declarations of the driver's types with the toolkit's headers, and those of
// the runtime that stand for the driver's: the file compiles if they agree.
#define MMM_SAME_SIZE(of_driver, own)                                  \
  static_assert(sizeof(::of_driver) == sizeof(device::abi::own) &&     \
                    alignof(::of_driver) == alignof(device::abi::own), \
                #of_driver)
#define MMM_SAME_PLACE(type, member)                                               \
  static_assert(offsetof(::type, member) == offsetof(device::abi::type, member) && \
                    sizeof(::type::member) == sizeof(device::abi::type::member),   \
                #type "::" #member)
#define MMM_SAME_VALUE(of_driver, own) \
  static_assert(static_cast<int>(::of_driver) == static_cast<int>(device::abi::own), #of_driver)

MMM_SAME_SIZE(CUlaunchConfig, CUlaunchConfig);
MMM_SAME_PLACE(CUlaunchConfig, sharedMemBytes);
MMM_SAME_PLACE(CUlaunchConfig, hStream);
MMM_SAME_PLACE(CUlaunchConfig, attrs);
MMM_SAME_PLACE(CUlaunchConfig, numAttrs);

#undef CUDA_MEMCPY2D
#undef CUDA_MEMCPY3D
MMM_SAME_SIZE(CUDA_MEMCPY2D, CUDA_MEMCPY2D);
MMM_SAME_PLACE(CUDA_MEMCPY2D, srcMemoryType);
MMM_SAME_PLACE(CUDA_MEMCPY2D, srcHost);
MMM_SAME_PLACE(CUDA_MEMCPY2D, srcDevice);
MMM_SAME_PLACE(CUDA_MEMCPY2D, srcPitch);
MMM_SAME_PLACE(CUDA_MEMCPY2D, dstMemoryType);
MMM_SAME_PLACE(CUDA_MEMCPY2D, dstPitch);
MMM_SAME_PLACE(CUDA_MEMCPY2D, Height);
MMM_SAME_SIZE(CUDA_MEMCPY3D, CUDA_MEMCPY3D);
MMM_SAME_SIZE(CUDA_MEMCPY3D_PEER, CUDA_MEMCPY3D);
MMM_SAME_PLACE(CUDA_MEMCPY3D, srcLOD);
MMM_SAME_PLACE(CUDA_MEMCPY3D, srcMemoryType);
MMM_SAME_PLACE(CUDA_MEMCPY3D, srcHost);
MMM_SAME_PLACE(CUDA_MEMCPY3D, srcDevice);
MMM_SAME_PLACE(CUDA_MEMCPY3D, srcPitch);
MMM_SAME_PLACE(CUDA_MEMCPY3D, srcHeight);
MMM_SAME_PLACE(CUDA_MEMCPY3D, dstMemoryType);
MMM_SAME_PLACE(CUDA_MEMCPY3D, dstPitch);
MMM_SAME_PLACE(CUDA_MEMCPY3D, Depth);
static_assert(offsetof(::CUDA_MEMCPY3D_PEER, srcContext) ==
                  offsetof(device::abi::CUDA_MEMCPY3D, srcContext) &&
              offsetof(::CUDA_MEMCPY3D_PEER, dstContext) ==
                  offsetof(device::abi::CUDA_MEMCPY3D, dstContext));

// --- types of the runtime that stand for the driver's --------------------------------------------
MMM_SAME_SIZE(CUlaunchAttribute, cudaLaunchAttribute);
MMM_SAME_SIZE(CUmemLocation, cudaMemLocation);
MMM_SAME_SIZE(CUmemAccessDesc, cudaMemAccessDesc);
MMM_SAME_SIZE(CUmemPoolProps, cudaMemPoolProps);
MMM_SAME_SIZE(CUDA_MEMSET_NODE_PARAMS_v1, cudaMemsetParams);
MMM_SAME_SIZE(CUDA_HOST_NODE_PARAMS_v1, cudaHostNodeParams);
MMM_SAME_SIZE(CUDA_MEM_ALLOC_NODE_PARAMS, cudaMemAllocNodeParams);
MMM_SAME_SIZE(CUDA_KERNEL_NODE_PARAMS_v1, cudaKernelNodeParams);
MMM_SAME_SIZE(CUgraphNodeParams, cudaGraphNodeParams);
MMM_SAME_SIZE(CUgraphEdgeData, cudaGraphEdgeData);
MMM_SAME_SIZE(CUDA_GRAPH_INSTANTIATE_PARAMS, cudaGraphInstantiateParams);
MMM_SAME_SIZE(CUgraphExecUpdateResultInfo, cudaGraphExecUpdateResultInfo);
MMM_SAME_SIZE(CUmemcpyAttributes, cudaMemcpyAttributes);
MMM_SAME_SIZE(CUDA_MEMCPY3D_BATCH_OP, cudaMemcpy3DBatchOp);
static_assert(offsetof(::CUDA_KERNEL_NODE_PARAMS, kern) ==
              sizeof(device::abi::cudaKernelNodeParams));

// --- values --------------------------------------------------------------------------------------
#define MMM_CU_ERROR(value, name, text) MMM_SAME_VALUE(name, name);
#include <device/driver/errors.def>
MMM_SAME_VALUE(CU_JIT_WALL_TIME, CU_JIT_WALL_TIME);
MMM_SAME_VALUE(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER);
MMM_SAME_VALUE(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
MMM_SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER);
MMM_SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
MMM_SAME_VALUE(CU_JIT_INPUT_PTX, CU_JIT_INPUT_PTX);
MMM_SAME_VALUE(CU_JIT_INPUT_NVVM, CU_JIT_INPUT_NVVM);
MMM_SAME_VALUE(CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST);
MMM_SAME_VALUE(CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED);
MMM_SAME_VALUE(CU_LIMIT_STACK_SIZE, cudaLimitStackSize);
MMM_SAME_VALUE(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, cudaLimitPersistingL2CacheSize);
MMM_SAME_VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, cudaDevAttrMultiProcessorCount);
MMM_SAME_VALUE(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, cudaDevAttrConcurrentManagedAccess);
MMM_SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
               cudaFuncAttributeMaxDynamicSharedMemorySize);
MMM_SAME_VALUE(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
               cudaFuncAttributeClusterSchedulingPolicyPreference);
MMM_SAME_VALUE(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cudaLaunchAttributeClusterDimension);
MMM_SAME_VALUE(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
               cudaLaunchAttributePreferredSharedMemoryCarveout);
MMM_SAME_VALUE(CU_GRAPH_NODE_TYPE_MEM_ALLOC, cudaGraphNodeTypeMemAlloc);
MMM_SAME_VALUE(CU_GRAPH_NODE_TYPE_WAIT_EVENT, cudaGraphNodeTypeWaitEvent);
MMM_SAME_VALUE(CU_MEM_ADVISE_SET_ACCESSED_BY, cudaMemAdviseSetAccessedBy);
MMM_SAME_VALUE(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, cudaMemPoolAttrReleaseThreshold);
MMM_SAME_VALUE(CU_STREAM_CAPTURE_MODE_RELAXED, cudaStreamCaptureModeRelaxed);
MMM_SAME_VALUE(CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED,
               cudaDevP2PAttrCudaArrayAccessSupported);
MMM_SAME_VALUE(CU_MEM_ALLOCATION_TYPE_PINNED, cudaMemAllocationTypePinned);
MMM_SAME_VALUE(CU_MEM_LOCATION_TYPE_HOST, cudaMemLocationTypeHost);
MMM_SAME_VALUE(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, cudaDriverEntryPointVersionNotSufficent);
