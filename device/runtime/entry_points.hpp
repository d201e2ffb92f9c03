// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/abi_textures.hpp>

#include <cstddef>

//! The runtime's entry points that other parts of the device call.
namespace device::runtime {

using namespace abi;

extern "C" {
cudaError_t cudaMalloc(void** out, std::size_t bytes);
cudaError_t cudaMallocManaged(void** out, std::size_t bytes, unsigned flags);
cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent);
cudaError_t cudaMallocHost(void** out, std::size_t bytes);
cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned flags);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** out, void* pointer, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, void const* pointer);
cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t into,
                                          cudaGraphNode_t const* after,
                                          cudaGraphEdgeData const* edges, std::size_t count,
                                          cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* out);
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* number, cudaGraph_t* into,
                                     cudaGraphNode_t const** after, cudaGraphEdgeData const** edges,
                                     std::size_t* count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* after,
                                                cudaGraphEdgeData const* edges, std::size_t count,
                                                unsigned flags);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaMemcpy(void* destination, void const* source, std::size_t bytes,
                       cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* destination, void const* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, void const* source,
                           int source_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, void const* source,
                                int source_device, std::size_t bytes, cudaStream_t in);
cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, void const* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, void const* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const* box);
cudaError_t cudaMemcpy3DAsync(cudaMemcpy3DParms const* box, cudaStream_t in);
cudaError_t cudaMemcpy3DPeer(cudaMemcpy3DPeerParms const* peer);
cudaError_t cudaMemcpy3DPeerAsync(cudaMemcpy3DPeerParms const* peer, cudaStream_t in);
cudaError_t cudaMemcpyBatchAsync(void* const* destination, void const* const* source,
                                 std::size_t const* bytes, std::size_t count,
                                 cudaMemcpyAttributes const* attributes,
                                 std::size_t const* first_of_attribute, std::size_t attribute_count,
                                 cudaStream_t in);
cudaError_t cudaMemcpy3DBatchAsync(std::size_t count, cudaMemcpy3DBatchOp* list,
                                   unsigned long long flags, cudaStream_t in);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned flags, unsigned which);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaChooseDevice(int* device, cudaDeviceProp const* wanted);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, char const* text);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
char const* cudaGetErrorName(cudaError_t code);
char const* cudaGetErrorString(cudaError_t code);
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetLastError();
cudaError_t cudaEventCreate(cudaEvent_t* out);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t handle);
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t in);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t in, unsigned flags);
cudaError_t cudaEventQuery(cudaEvent_t handle);
cudaError_t cudaEventSynchronize(cudaEvent_t handle);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t in);
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                         std::size_t height);
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t in);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t in);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, void const* function);
cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute attribute, int value);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t function, cudaFuncAttribute attribute,
                                            int value, int device);
cudaError_t cudaFuncSetCacheConfig(void const* function, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(void const* function, cudaSharedMemConfig config);
cudaError_t cudaFuncGetName(char const** name, void const* function);
cudaError_t cudaFuncGetParamInfo(void const* function, std::size_t index, std::size_t* offset,
                                 std::size_t* bytes);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* out, void const* function);
cudaError_t cudaGetKernel(cudaKernel_t* out, void const* function);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t handle,
                                 unsigned long long flags);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t handle,
                                          unsigned long long flags);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t handle,
                                           cudaGraphInstantiateParams* how);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle);
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t in);
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t in);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t source,
                                cudaGraphExecUpdateResultInfo* result);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned* enabled);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             cudaKernelNodeParams const* params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             cudaMemcpy3DParms const* params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t handle, cudaGraphNode_t node,
                                               void* destination, void const* source,
                                               std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                     void const* symbol, void const* source,
                                                     std::size_t bytes, std::size_t offset,
                                                     cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                       void* destination, void const* symbol,
                                                       std::size_t bytes, std::size_t offset,
                                                       cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             cudaMemsetParams const* params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                           cudaHostNodeParams const* params);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 cudaEvent_t event_handle);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t handle, cudaGraphNode_t node,
                                               cudaEvent_t event_handle);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 cudaGraph_t child);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count);
cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count);
cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t g, cudaGraphNode_t const* after,
                             cudaGraphEdgeData const* edges, std::size_t count,
                             cudaGraphNodeParams* params);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t handle,
                                             unsigned value, unsigned flags);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t g, cudaGraphNode_t const* after,
                                  std::size_t count);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t g,
                                   cudaGraphNode_t const* after, std::size_t count,
                                   cudaKernelNodeParams const* params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, cudaKernelNodeParams const* params);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* out);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* out);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue const* value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination, cudaGraphNode_t source);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t g,
                                   cudaGraphNode_t const* after, std::size_t count,
                                   cudaMemcpy3DParms const* params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t g,
                                     cudaGraphNode_t const* after, std::size_t count,
                                     void* destination, void const* source, std::size_t bytes,
                                     cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t g,
                                           cudaGraphNode_t const* after, std::size_t count,
                                           void const* symbol, void const* source,
                                           std::size_t bytes, std::size_t offset,
                                           cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t g,
                                             cudaGraphNode_t const* after, std::size_t count,
                                             void* destination, void const* symbol,
                                             std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, cudaMemcpy3DParms const* params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           void const* source, std::size_t bytes,
                                           cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, void const* symbol,
                                                 void const* source, std::size_t bytes,
                                                 std::size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* destination,
                                                   void const* symbol, std::size_t bytes,
                                                   std::size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* out);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t g,
                                   cudaGraphNode_t const* after, std::size_t count,
                                   cudaMemsetParams const* params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, cudaMemsetParams const* params);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* out);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t g, cudaGraphNode_t const* after,
                                 std::size_t count, cudaHostNodeParams const* params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, cudaHostNodeParams const* params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* out);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t g,
                                        cudaGraphNode_t const* after, std::size_t count,
                                        cudaEvent_t event_handle);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event_handle);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t g,
                                      cudaGraphNode_t const* after, std::size_t count,
                                      cudaEvent_t event_handle);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event_handle);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t g,
                                       cudaGraphNode_t const* after, std::size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* out);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t g,
                                     cudaGraphNode_t const* after, std::size_t count,
                                     cudaMemAllocNodeParams* params);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* out);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t g,
                                    cudaGraphNode_t const* after, std::size_t count, void* address);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, char const* path, unsigned flags);
cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t handle);
cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t handle);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original,
                                     cudaGraph_t handle);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type);
cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* out, std::size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* out, std::size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* befores, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* out,
                                         cudaGraphEdgeData* data, std::size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* out,
                                           cudaGraphEdgeData* data, std::size_t* count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, cudaGraphNode_t const* befores,
                                     cudaGraphNode_t const* to, cudaGraphEdgeData const* data,
                                     std::size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, cudaGraphNode_t const* befores,
                                        cudaGraphNode_t const* to, cudaGraphEdgeData const* data,
                                        std::size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle);
cudaError_t cudaLaunchKernel(void const* function, abi::dim3 grid, abi::dim3 block,
                             void** arguments, std::size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(void const* function, abi::dim3 grid, abi::dim3 block,
                                        void** arguments, std::size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* function,
                                void** arguments);
cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes, cudaMemLocation where,
                                 unsigned flags, cudaStream_t in);
cudaError_t cudaMemPrefetchBatchAsync(void** pointer, std::size_t* bytes, std::size_t count,
                                      cudaMemLocation* places, std::size_t* first_of,
                                      std::size_t place_count, unsigned long long flags,
                                      cudaStream_t in);
cudaError_t cudaMemAdvise(void const* pointer, std::size_t bytes, cudaMemoryAdvise kind,
                          cudaMemLocation where);
cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t size, cudaMemRangeAttribute attribute,
                                     void const* pointer, std::size_t bytes);
cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* sizes,
                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                      void const* pointer, std::size_t bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   void const* function,
                                                                   int threads, std::size_t dynamic,
                                                                   unsigned flags);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* function,
                                                          int threads, std::size_t dynamic);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, void const* function,
                                                      int blocks, int threads);
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* function,
                                           cudaLaunchConfig_t const* config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, void const* function,
                                                 cudaLaunchConfig_t const* config);
cudaError_t cudaMallocAsync(void** out, std::size_t bytes, cudaStream_t in);
cudaError_t cudaMallocFromPoolAsync(void** out, std::size_t bytes, cudaMemPool_t pool_handle,
                                    cudaStream_t in);
cudaError_t cudaFreeAsync(void* address, cudaStream_t in);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                     cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                              cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType type,
                              cudaMemPool_t handle);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, cudaMemPoolProps const* props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t retained_bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, cudaMemAccessDesc const* list,
                                 std::size_t count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation* where);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device);
cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device);
cudaError_t cudaStreamCreate(cudaStream_t* out);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t handle);
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags);
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* number);
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device);
cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue* out);
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue const* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source);
cudaError_t cudaStreamSynchronize(cudaStream_t handle);
cudaError_t cudaStreamQuery(cudaStream_t handle);
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data,
                                  unsigned flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, std::size_t bytes,
                                     unsigned flags);
cudaError_t cudaMemcpyToSymbol(void const* symbol, void const* source, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void* destination, void const* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToSymbolAsync(void const* symbol, void const* source, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, void const* symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaGetSymbolAddress(void** out, void const* symbol);
cudaError_t cudaGetSymbolSize(std::size_t* out, void const* symbol);
cudaError_t cudaMallocArray(cudaArray_t* out, cudaChannelFormatDesc const* channels,
                            std::size_t width, std::size_t height, unsigned flags);
cudaError_t cudaMalloc3DArray(cudaArray_t* out, cudaChannelFormatDesc const* channels,
                              cudaExtent extent, unsigned flags);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* out,
                                     cudaChannelFormatDesc const* channels, cudaExtent extent,
                                     unsigned levels, unsigned flags);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* out, cudaMipmappedArray_t mipmapped,
                                       unsigned level);
cudaError_t cudaFreeArray(cudaArray_t handle);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_t handle);
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* out, cudaArray_t handle,
                                           int device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements* out,
                                                    cudaMipmappedArray_t handle, int device);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, void const* source,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y,
                                     void const* source, std::size_t pitch, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_t source, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height,
                                  cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_t source,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_t source, std::size_t x, std::size_t y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, void const* source,
                              std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, void const* source,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_t source, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_t source, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t in);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, cudaResourceDesc const* resource,
                                    cudaTextureDesc const* how, cudaResourceViewDesc const* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t number);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t number);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t number);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out,
                                                 cudaTextureObject_t number);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, cudaResourceDesc const* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t number);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t number);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* texels,
                                                 cudaChannelFormatDesc const* channels, int device);
}

}  // namespace device::runtime
