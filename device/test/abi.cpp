// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>
#include <device/runtime/abi.hpp>

#include <cstddef>

// Compares the runtime's own declarations of CUDA's types with the toolkit's headers: the file
// compiles if they agree. It needs the toolkit's include path; nothing of it is run.
#define MMM_SAME_SIZE(type)                                        \
  static_assert(sizeof(::type) == sizeof(device::abi::type) &&     \
                    alignof(::type) == alignof(device::abi::type), \
                #type)
#define MMM_SAME_PLACE(type, member)                                               \
  static_assert(offsetof(::type, member) == offsetof(device::abi::type, member) && \
                    sizeof(::type::member) == sizeof(device::abi::type::member),   \
                #type "::" #member)

MMM_SAME_SIZE(dim3);
MMM_SAME_PLACE(dim3, x);
MMM_SAME_PLACE(dim3, y);
MMM_SAME_PLACE(dim3, z);

MMM_SAME_SIZE(cudaFuncAttributes);
MMM_SAME_PLACE(cudaFuncAttributes, sharedSizeBytes);
MMM_SAME_PLACE(cudaFuncAttributes, constSizeBytes);
MMM_SAME_PLACE(cudaFuncAttributes, localSizeBytes);
MMM_SAME_PLACE(cudaFuncAttributes, maxThreadsPerBlock);
MMM_SAME_PLACE(cudaFuncAttributes, numRegs);
MMM_SAME_PLACE(cudaFuncAttributes, ptxVersion);
MMM_SAME_PLACE(cudaFuncAttributes, binaryVersion);
MMM_SAME_PLACE(cudaFuncAttributes, cacheModeCA);
MMM_SAME_PLACE(cudaFuncAttributes, maxDynamicSharedSizeBytes);
MMM_SAME_PLACE(cudaFuncAttributes, preferredShmemCarveout);
MMM_SAME_PLACE(cudaFuncAttributes, clusterDimMustBeSet);
MMM_SAME_PLACE(cudaFuncAttributes, requiredClusterWidth);
MMM_SAME_PLACE(cudaFuncAttributes, requiredClusterHeight);
MMM_SAME_PLACE(cudaFuncAttributes, requiredClusterDepth);
MMM_SAME_PLACE(cudaFuncAttributes, clusterSchedulingPolicyPreference);
MMM_SAME_PLACE(cudaFuncAttributes, nonPortableClusterSizeAllowed);
MMM_SAME_PLACE(cudaFuncAttributes, reserved);

MMM_SAME_SIZE(cudaAccessPolicyWindow);
MMM_SAME_PLACE(cudaAccessPolicyWindow, base_ptr);
MMM_SAME_PLACE(cudaAccessPolicyWindow, num_bytes);
MMM_SAME_PLACE(cudaAccessPolicyWindow, hitRatio);
MMM_SAME_PLACE(cudaAccessPolicyWindow, hitProp);
MMM_SAME_PLACE(cudaAccessPolicyWindow, missProp);

MMM_SAME_SIZE(cudaLaunchAttributeValue);
MMM_SAME_PLACE(cudaLaunchAttributeValue, pad);
MMM_SAME_PLACE(cudaLaunchAttributeValue, accessPolicyWindow);
MMM_SAME_PLACE(cudaLaunchAttributeValue, cooperative);
MMM_SAME_PLACE(cudaLaunchAttributeValue, syncPolicy);
MMM_SAME_PLACE(cudaLaunchAttributeValue, clusterDim);
MMM_SAME_PLACE(cudaLaunchAttributeValue, clusterSchedulingPolicyPreference);
MMM_SAME_PLACE(cudaLaunchAttributeValue, programmaticStreamSerializationAllowed);
MMM_SAME_PLACE(cudaLaunchAttributeValue, programmaticEvent);
MMM_SAME_PLACE(cudaLaunchAttributeValue, priority);
MMM_SAME_PLACE(cudaLaunchAttributeValue, memSyncDomainMap);
MMM_SAME_PLACE(cudaLaunchAttributeValue, memSyncDomain);
MMM_SAME_PLACE(cudaLaunchAttributeValue, preferredClusterDim);
MMM_SAME_PLACE(cudaLaunchAttributeValue, launchCompletionEvent);
MMM_SAME_PLACE(cudaLaunchAttributeValue, deviceUpdatableKernelNode);
MMM_SAME_PLACE(cudaLaunchAttributeValue, sharedMemCarveout);
MMM_SAME_PLACE(cudaLaunchAttributeValue, nvlinkUtilCentricScheduling);

MMM_SAME_SIZE(cudaLaunchAttribute);
MMM_SAME_PLACE(cudaLaunchAttribute, id);
MMM_SAME_PLACE(cudaLaunchAttribute, pad);
MMM_SAME_PLACE(cudaLaunchAttribute, val);

MMM_SAME_SIZE(cudaLaunchConfig_t);
MMM_SAME_PLACE(cudaLaunchConfig_t, gridDim);
MMM_SAME_PLACE(cudaLaunchConfig_t, blockDim);
MMM_SAME_PLACE(cudaLaunchConfig_t, dynamicSmemBytes);
MMM_SAME_PLACE(cudaLaunchConfig_t, stream);
MMM_SAME_PLACE(cudaLaunchConfig_t, attrs);
MMM_SAME_PLACE(cudaLaunchConfig_t, numAttrs);

MMM_SAME_SIZE(cudaChannelFormatDesc);
MMM_SAME_PLACE(cudaChannelFormatDesc, x);
MMM_SAME_PLACE(cudaChannelFormatDesc, y);
MMM_SAME_PLACE(cudaChannelFormatDesc, z);
MMM_SAME_PLACE(cudaChannelFormatDesc, w);
MMM_SAME_PLACE(cudaChannelFormatDesc, f);

MMM_SAME_SIZE(cudaPitchedPtr);
MMM_SAME_PLACE(cudaPitchedPtr, ptr);
MMM_SAME_PLACE(cudaPitchedPtr, pitch);
MMM_SAME_PLACE(cudaPitchedPtr, xsize);
MMM_SAME_PLACE(cudaPitchedPtr, ysize);

MMM_SAME_SIZE(cudaExtent);
MMM_SAME_PLACE(cudaExtent, width);
MMM_SAME_PLACE(cudaExtent, height);
MMM_SAME_PLACE(cudaExtent, depth);

MMM_SAME_SIZE(cudaPos);
MMM_SAME_PLACE(cudaPos, x);
MMM_SAME_PLACE(cudaPos, y);
MMM_SAME_PLACE(cudaPos, z);

MMM_SAME_SIZE(cudaMemcpy3DParms);
MMM_SAME_PLACE(cudaMemcpy3DParms, srcArray);
MMM_SAME_PLACE(cudaMemcpy3DParms, srcPos);
MMM_SAME_PLACE(cudaMemcpy3DParms, srcPtr);
MMM_SAME_PLACE(cudaMemcpy3DParms, dstArray);
MMM_SAME_PLACE(cudaMemcpy3DParms, dstPos);
MMM_SAME_PLACE(cudaMemcpy3DParms, dstPtr);
MMM_SAME_PLACE(cudaMemcpy3DParms, extent);
MMM_SAME_PLACE(cudaMemcpy3DParms, kind);

MMM_SAME_SIZE(cudaMemcpy3DPeerParms);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, srcArray);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, srcPos);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, srcPtr);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, srcDevice);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, dstArray);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, dstPos);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, dstPtr);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, dstDevice);
MMM_SAME_PLACE(cudaMemcpy3DPeerParms, extent);

MMM_SAME_SIZE(cudaMemLocation);
MMM_SAME_PLACE(cudaMemLocation, type);
MMM_SAME_PLACE(cudaMemLocation, id);

MMM_SAME_SIZE(cudaMemcpyAttributes);
MMM_SAME_PLACE(cudaMemcpyAttributes, srcAccessOrder);
MMM_SAME_PLACE(cudaMemcpyAttributes, srcLocHint);
MMM_SAME_PLACE(cudaMemcpyAttributes, dstLocHint);
MMM_SAME_PLACE(cudaMemcpyAttributes, flags);

MMM_SAME_SIZE(cudaMemcpy3DOperand);
MMM_SAME_PLACE(cudaMemcpy3DOperand, type);
MMM_SAME_PLACE(cudaMemcpy3DOperand, op);

MMM_SAME_SIZE(cudaMemcpy3DBatchOp);
MMM_SAME_PLACE(cudaMemcpy3DBatchOp, src);
MMM_SAME_PLACE(cudaMemcpy3DBatchOp, dst);
MMM_SAME_PLACE(cudaMemcpy3DBatchOp, extent);
MMM_SAME_PLACE(cudaMemcpy3DBatchOp, srcAccessOrder);
MMM_SAME_PLACE(cudaMemcpy3DBatchOp, flags);

MMM_SAME_SIZE(cudaPointerAttributes);
MMM_SAME_PLACE(cudaPointerAttributes, type);
MMM_SAME_PLACE(cudaPointerAttributes, device);
MMM_SAME_PLACE(cudaPointerAttributes, devicePointer);
MMM_SAME_PLACE(cudaPointerAttributes, hostPointer);
MMM_SAME_PLACE(cudaPointerAttributes, reserved);

MMM_SAME_SIZE(cudaMemAccessDesc);
MMM_SAME_PLACE(cudaMemAccessDesc, location);
MMM_SAME_PLACE(cudaMemAccessDesc, flags);

MMM_SAME_SIZE(cudaMemPoolProps);
MMM_SAME_PLACE(cudaMemPoolProps, allocType);
MMM_SAME_PLACE(cudaMemPoolProps, handleTypes);
MMM_SAME_PLACE(cudaMemPoolProps, location);
MMM_SAME_PLACE(cudaMemPoolProps, win32SecurityAttributes);
MMM_SAME_PLACE(cudaMemPoolProps, maxSize);
MMM_SAME_PLACE(cudaMemPoolProps, usage);
MMM_SAME_PLACE(cudaMemPoolProps, reserved);

MMM_SAME_SIZE(cudaKernelNodeParams);
MMM_SAME_PLACE(cudaKernelNodeParams, func);
MMM_SAME_PLACE(cudaKernelNodeParams, gridDim);
MMM_SAME_PLACE(cudaKernelNodeParams, blockDim);
MMM_SAME_PLACE(cudaKernelNodeParams, sharedMemBytes);
MMM_SAME_PLACE(cudaKernelNodeParams, kernelParams);
MMM_SAME_PLACE(cudaKernelNodeParams, extra);

MMM_SAME_SIZE(cudaMemsetParams);
MMM_SAME_PLACE(cudaMemsetParams, dst);
MMM_SAME_PLACE(cudaMemsetParams, pitch);
MMM_SAME_PLACE(cudaMemsetParams, value);
MMM_SAME_PLACE(cudaMemsetParams, elementSize);
MMM_SAME_PLACE(cudaMemsetParams, width);
MMM_SAME_PLACE(cudaMemsetParams, height);

MMM_SAME_SIZE(cudaConditionalNodeParams);
MMM_SAME_PLACE(cudaConditionalNodeParams, handle);
MMM_SAME_PLACE(cudaConditionalNodeParams, type);
MMM_SAME_PLACE(cudaConditionalNodeParams, size);
MMM_SAME_PLACE(cudaConditionalNodeParams, phGraph_out);
MMM_SAME_SIZE(cudaHostNodeParams);
MMM_SAME_PLACE(cudaHostNodeParams, fn);
MMM_SAME_PLACE(cudaHostNodeParams, userData);

MMM_SAME_SIZE(cudaMemAllocNodeParams);
MMM_SAME_PLACE(cudaMemAllocNodeParams, poolProps);
MMM_SAME_PLACE(cudaMemAllocNodeParams, accessDescs);
MMM_SAME_PLACE(cudaMemAllocNodeParams, accessDescCount);
MMM_SAME_PLACE(cudaMemAllocNodeParams, bytesize);
MMM_SAME_PLACE(cudaMemAllocNodeParams, dptr);

MMM_SAME_SIZE(cudaMemcpyNodeParams);
MMM_SAME_PLACE(cudaMemcpyNodeParams, flags);
MMM_SAME_PLACE(cudaMemcpyNodeParams, reserved);
MMM_SAME_PLACE(cudaMemcpyNodeParams, copyParams);

MMM_SAME_SIZE(cudaGraphNodeParams);
MMM_SAME_PLACE(cudaGraphNodeParams, type);
MMM_SAME_PLACE(cudaGraphNodeParams, reserved0);
MMM_SAME_PLACE(cudaGraphNodeParams, kernel);
MMM_SAME_PLACE(cudaGraphNodeParams, memcpy);
MMM_SAME_PLACE(cudaGraphNodeParams, memset);
MMM_SAME_PLACE(cudaGraphNodeParams, host);
MMM_SAME_PLACE(cudaGraphNodeParams, graph);
MMM_SAME_PLACE(cudaGraphNodeParams, alloc);
MMM_SAME_PLACE(cudaGraphNodeParams, free);
MMM_SAME_PLACE(cudaGraphNodeParams, reserved2);

MMM_SAME_SIZE(cudaGraphEdgeData);
MMM_SAME_PLACE(cudaGraphEdgeData, from_port);
MMM_SAME_PLACE(cudaGraphEdgeData, to_port);
MMM_SAME_PLACE(cudaGraphEdgeData, type);
MMM_SAME_PLACE(cudaGraphEdgeData, reserved);

MMM_SAME_SIZE(cudaGraphInstantiateParams);
MMM_SAME_PLACE(cudaGraphInstantiateParams, flags);
MMM_SAME_PLACE(cudaGraphInstantiateParams, uploadStream);
MMM_SAME_PLACE(cudaGraphInstantiateParams, errNode_out);
MMM_SAME_PLACE(cudaGraphInstantiateParams, result_out);

MMM_SAME_SIZE(cudaGraphExecUpdateResultInfo);
MMM_SAME_PLACE(cudaGraphExecUpdateResultInfo, result);
MMM_SAME_PLACE(cudaGraphExecUpdateResultInfo, errorNode);
MMM_SAME_PLACE(cudaGraphExecUpdateResultInfo, errorFromNode);

MMM_SAME_SIZE(cudaDeviceProp);
MMM_SAME_PLACE(cudaDeviceProp, name);
MMM_SAME_PLACE(cudaDeviceProp, uuid);
MMM_SAME_PLACE(cudaDeviceProp, luid);
MMM_SAME_PLACE(cudaDeviceProp, luidDeviceNodeMask);
MMM_SAME_PLACE(cudaDeviceProp, totalGlobalMem);
MMM_SAME_PLACE(cudaDeviceProp, sharedMemPerBlock);
MMM_SAME_PLACE(cudaDeviceProp, regsPerBlock);
MMM_SAME_PLACE(cudaDeviceProp, warpSize);
MMM_SAME_PLACE(cudaDeviceProp, memPitch);
MMM_SAME_PLACE(cudaDeviceProp, maxThreadsPerBlock);
MMM_SAME_PLACE(cudaDeviceProp, maxThreadsDim);
MMM_SAME_PLACE(cudaDeviceProp, maxGridSize);
MMM_SAME_PLACE(cudaDeviceProp, totalConstMem);
MMM_SAME_PLACE(cudaDeviceProp, major);
MMM_SAME_PLACE(cudaDeviceProp, minor);
MMM_SAME_PLACE(cudaDeviceProp, textureAlignment);
MMM_SAME_PLACE(cudaDeviceProp, texturePitchAlignment);
MMM_SAME_PLACE(cudaDeviceProp, multiProcessorCount);
MMM_SAME_PLACE(cudaDeviceProp, integrated);
MMM_SAME_PLACE(cudaDeviceProp, canMapHostMemory);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture1D);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture1DMipmap);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture2D);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture2DMipmap);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture2DLinear);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture2DGather);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture3D);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture3DAlt);
MMM_SAME_PLACE(cudaDeviceProp, maxTextureCubemap);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture1DLayered);
MMM_SAME_PLACE(cudaDeviceProp, maxTexture2DLayered);
MMM_SAME_PLACE(cudaDeviceProp, maxTextureCubemapLayered);
MMM_SAME_PLACE(cudaDeviceProp, maxSurface1D);
MMM_SAME_PLACE(cudaDeviceProp, maxSurface2D);
MMM_SAME_PLACE(cudaDeviceProp, maxSurface3D);
MMM_SAME_PLACE(cudaDeviceProp, maxSurface1DLayered);
MMM_SAME_PLACE(cudaDeviceProp, maxSurface2DLayered);
MMM_SAME_PLACE(cudaDeviceProp, maxSurfaceCubemap);
MMM_SAME_PLACE(cudaDeviceProp, maxSurfaceCubemapLayered);
MMM_SAME_PLACE(cudaDeviceProp, surfaceAlignment);
MMM_SAME_PLACE(cudaDeviceProp, concurrentKernels);
MMM_SAME_PLACE(cudaDeviceProp, ECCEnabled);
MMM_SAME_PLACE(cudaDeviceProp, pciBusID);
MMM_SAME_PLACE(cudaDeviceProp, pciDeviceID);
MMM_SAME_PLACE(cudaDeviceProp, pciDomainID);
MMM_SAME_PLACE(cudaDeviceProp, tccDriver);
MMM_SAME_PLACE(cudaDeviceProp, asyncEngineCount);
MMM_SAME_PLACE(cudaDeviceProp, unifiedAddressing);
MMM_SAME_PLACE(cudaDeviceProp, memoryBusWidth);
MMM_SAME_PLACE(cudaDeviceProp, l2CacheSize);
MMM_SAME_PLACE(cudaDeviceProp, persistingL2CacheMaxSize);
MMM_SAME_PLACE(cudaDeviceProp, maxThreadsPerMultiProcessor);
MMM_SAME_PLACE(cudaDeviceProp, streamPrioritiesSupported);
MMM_SAME_PLACE(cudaDeviceProp, globalL1CacheSupported);
MMM_SAME_PLACE(cudaDeviceProp, localL1CacheSupported);
MMM_SAME_PLACE(cudaDeviceProp, sharedMemPerMultiprocessor);
MMM_SAME_PLACE(cudaDeviceProp, regsPerMultiprocessor);
MMM_SAME_PLACE(cudaDeviceProp, managedMemory);
MMM_SAME_PLACE(cudaDeviceProp, isMultiGpuBoard);
MMM_SAME_PLACE(cudaDeviceProp, multiGpuBoardGroupID);
MMM_SAME_PLACE(cudaDeviceProp, hostNativeAtomicSupported);
MMM_SAME_PLACE(cudaDeviceProp, pageableMemoryAccess);
MMM_SAME_PLACE(cudaDeviceProp, concurrentManagedAccess);
MMM_SAME_PLACE(cudaDeviceProp, computePreemptionSupported);
MMM_SAME_PLACE(cudaDeviceProp, canUseHostPointerForRegisteredMem);
MMM_SAME_PLACE(cudaDeviceProp, cooperativeLaunch);
MMM_SAME_PLACE(cudaDeviceProp, sharedMemPerBlockOptin);
MMM_SAME_PLACE(cudaDeviceProp, pageableMemoryAccessUsesHostPageTables);
MMM_SAME_PLACE(cudaDeviceProp, directManagedMemAccessFromHost);
MMM_SAME_PLACE(cudaDeviceProp, maxBlocksPerMultiProcessor);
MMM_SAME_PLACE(cudaDeviceProp, accessPolicyMaxWindowSize);
MMM_SAME_PLACE(cudaDeviceProp, reservedSharedMemPerBlock);
MMM_SAME_PLACE(cudaDeviceProp, hostRegisterSupported);
MMM_SAME_PLACE(cudaDeviceProp, sparseCudaArraySupported);
MMM_SAME_PLACE(cudaDeviceProp, hostRegisterReadOnlySupported);
MMM_SAME_PLACE(cudaDeviceProp, timelineSemaphoreInteropSupported);
MMM_SAME_PLACE(cudaDeviceProp, memoryPoolsSupported);
MMM_SAME_PLACE(cudaDeviceProp, gpuDirectRDMASupported);
MMM_SAME_PLACE(cudaDeviceProp, gpuDirectRDMAFlushWritesOptions);
MMM_SAME_PLACE(cudaDeviceProp, gpuDirectRDMAWritesOrdering);
MMM_SAME_PLACE(cudaDeviceProp, memoryPoolSupportedHandleTypes);
MMM_SAME_PLACE(cudaDeviceProp, deferredMappingCudaArraySupported);
MMM_SAME_PLACE(cudaDeviceProp, ipcEventSupported);
MMM_SAME_PLACE(cudaDeviceProp, clusterLaunch);
MMM_SAME_PLACE(cudaDeviceProp, unifiedFunctionPointers);
MMM_SAME_PLACE(cudaDeviceProp, deviceNumaConfig);
MMM_SAME_PLACE(cudaDeviceProp, deviceNumaId);
MMM_SAME_PLACE(cudaDeviceProp, mpsEnabled);
MMM_SAME_PLACE(cudaDeviceProp, hostNumaId);
MMM_SAME_PLACE(cudaDeviceProp, gpuPciDeviceID);
MMM_SAME_PLACE(cudaDeviceProp, gpuPciSubsystemID);
MMM_SAME_PLACE(cudaDeviceProp, hostNumaMultinodeIpcSupported);
MMM_SAME_PLACE(cudaDeviceProp, reserved);

int main() { return 0; }
