// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contexts.hpp"
#include "copies.hpp"

#include <cstring>

// Graphs: the runtime's. Parameters of kernel nodes begin as the runtime's do.
namespace device::driver {

namespace {

//! CUDA_KERNEL_NODE_PARAMS, the runtime's and what version 2 adds.
struct kernel_node {
  cudaKernelNodeParams common;
  cudaKernel_t kern;
  CUcontext ctx;
};

//! The parameters with the kernel that they name, by either of its handles.
cudaKernelNodeParams common_of(kernel_node const* k) {
  require(k != nullptr, cudaErrorInvalidValue);
  cudaKernelNodeParams common = k->common;
  if (common.func == nullptr) common.func = k->kern;
  return common;
}

cudaMemcpy3DParms copy_of(process& p, CUDA_MEMCPY3D const* c) {
  require(c != nullptr, cudaErrorInvalidValue);
  return box_of(p, *c);
}

//! CUDA_MEMCPY_NODE_PARAMS in the place of the runtime's, in a copy of a node's parameters.
struct copy_node {
  int flags, reserved;
  CUcontext context;
  CUDA_MEMCPY3D box;
};

cudaGraphNodeParams node_of(process& p, cudaGraphNodeParams const* given) {
  require(given != nullptr, cudaErrorInvalidValue);
  cudaGraphNodeParams params = *given;
  if (params.type == cudaGraphNodeTypeMemcpy) {
    copy_node c;
    std::memcpy(&c, &given->memcpy, sizeof c);
    params.memcpy = {};
    params.memcpy.copyParams = box_of(p, c.box);
  }
  if (params.type == cudaGraphNodeTypeKernel && params.kernel.func == nullptr) {
    kernel_node k;
    std::memcpy(&k, &given->kernel, sizeof k);
    params.kernel = common_of(&k);
  }
  return params;
}

//! Copies back the parts of a node's parameters that the runtime writes.
void give_back(cudaGraphNodeParams const& params, cudaGraphNodeParams& to) {
  if (params.type == cudaGraphNodeTypeMemAlloc) to.alloc = params.alloc;
  if (params.type == cudaGraphNodeTypeGraph) to.graph = params.graph;
  if (params.type == cudaGraphNodeTypeConditional) to.conditional = params.conditional;
}

}  // namespace

// --- graphs --------------------------------------------------------------------------------------

MMM_CU_FORWARD(cuGraphCreate, cudaGraphCreate, (cudaGraph_t * out, unsigned flags), (out, flags))
MMM_CU_FORWARD(cuGraphDestroy, cudaGraphDestroy, (cudaGraph_t graph), (graph))
MMM_CU_FORWARD(cuGraphClone, cudaGraphClone, (cudaGraph_t * out, cudaGraph_t graph), (out, graph))
MMM_CU_FORWARD(cuGraphDebugDotPrint, cudaGraphDebugDotPrint,
               (cudaGraph_t graph, char const* path, unsigned flags), (graph, path, flags))
MMM_CU_FORWARD(cuGraphGetNodes, cudaGraphGetNodes,
               (cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count), (graph, out, count))
MMM_CU_FORWARD(cuGraphGetRootNodes, cudaGraphGetRootNodes,
               (cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count), (graph, out, count))
MMM_CU_FORWARD(cuGraphGetEdges_v2, cudaGraphGetEdges,
               (cudaGraph_t graph, cudaGraphNode_t* before, cudaGraphNode_t* after,
                cudaGraphEdgeData* data, std::size_t* count),
               (graph, before, after, data, count))
MMM_CU_FORWARD(cuGraphGetEdges, cudaGraphGetEdges,
               (cudaGraph_t graph, cudaGraphNode_t* before, cudaGraphNode_t* after,
                std::size_t* count),
               (graph, before, after, nullptr, count))
MMM_CU_FORWARD(cuGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies,
               (cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                std::size_t* count),
               (node, out, data, count))
MMM_CU_FORWARD(cuGraphNodeGetDependencies, cudaGraphNodeGetDependencies,
               (cudaGraphNode_t node, cudaGraphNode_t* out, std::size_t* count),
               (node, out, nullptr, count))
MMM_CU_FORWARD(cuGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes,
               (cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                std::size_t* count),
               (node, out, data, count))
MMM_CU_FORWARD(cuGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes,
               (cudaGraphNode_t node, cudaGraphNode_t* out, std::size_t* count),
               (node, out, nullptr, count))
MMM_CU_FORWARD(cuGraphAddDependencies_v2, cudaGraphAddDependencies,
               (cudaGraph_t graph, cudaGraphNode_t const* before, cudaGraphNode_t const* after,
                cudaGraphEdgeData const* data, std::size_t count),
               (graph, before, after, data, count))
MMM_CU_FORWARD(cuGraphAddDependencies, cudaGraphAddDependencies,
               (cudaGraph_t graph, cudaGraphNode_t const* before, cudaGraphNode_t const* after,
                std::size_t count),
               (graph, before, after, nullptr, count))
MMM_CU_FORWARD(cuGraphRemoveDependencies_v2, cudaGraphRemoveDependencies,
               (cudaGraph_t graph, cudaGraphNode_t const* before, cudaGraphNode_t const* after,
                cudaGraphEdgeData const* data, std::size_t count),
               (graph, before, after, data, count))
MMM_CU_FORWARD(cuGraphRemoveDependencies, cudaGraphRemoveDependencies,
               (cudaGraph_t graph, cudaGraphNode_t const* before, cudaGraphNode_t const* after,
                std::size_t count),
               (graph, before, after, nullptr, count))
MMM_CU_FORWARD(cuGraphDestroyNode, cudaGraphDestroyNode, (cudaGraphNode_t node), (node))
MMM_CU_FORWARD(cuGraphNodeGetType, cudaGraphNodeGetType,
               (cudaGraphNode_t node, cudaGraphNodeType* type), (node, type))
MMM_CU_FORWARD(cuGraphNodeFindInClone, cudaGraphNodeFindInClone,
               (cudaGraphNode_t * out, cudaGraphNode_t original, cudaGraph_t graph),
               (out, original, graph))
MMM_CU_FORWARD(cuUserObjectCreate, cudaUserObjectCreate,
               (cudaUserObject_t * out, void* data, cudaHostFn_t destroy, unsigned references,
                unsigned flags),
               (out, data, destroy, references, flags))
MMM_CU_FORWARD(cuUserObjectRetain, cudaUserObjectRetain, (cudaUserObject_t object, unsigned count),
               (object, count))
MMM_CU_FORWARD(cuUserObjectRelease, cudaUserObjectRelease,
               (cudaUserObject_t object, unsigned count), (object, count))
MMM_CU_FORWARD(cuGraphRetainUserObject, cudaGraphRetainUserObject,
               (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags),
               (graph, object, count, flags))
MMM_CU_FORWARD(cuGraphReleaseUserObject, cudaGraphReleaseUserObject,
               (cudaGraph_t graph, cudaUserObject_t object, unsigned count), (graph, object, count))

// --- nodes ---------------------------------------------------------------------------------------

MMM_CU_FORWARD(cuGraphAddEmptyNode, cudaGraphAddEmptyNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count),
               (out, graph, after, count))
MMM_CUDA_API CUresult cuGraphAddKernelNode_v2(cudaGraphNode_t* out, cudaGraph_t graph,
                                              cudaGraphNode_t const* after, std::size_t count,
                                              kernel_node const* params) {
  return call([&](process&) {
    cudaKernelNodeParams const common = common_of(params);
    return runtime::cudaGraphAddKernelNode(out, graph, after, count, &common);
  });
}
MMM_CUDA_API CUresult cuGraphKernelNodeSetParams_v2(cudaGraphNode_t node,
                                                    kernel_node const* params) {
  return call([&](process&) {
    cudaKernelNodeParams const common = common_of(params);
    return runtime::cudaGraphKernelNodeSetParams(node, &common);
  });
}
MMM_CUDA_API CUresult cuGraphKernelNodeGetParams_v2(cudaGraphNode_t node, kernel_node* out) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = {};
    return runtime::cudaGraphKernelNodeGetParams(node, &out->common);
  });
}
MMM_CUDA_API CUresult cuGraphExecKernelNodeSetParams_v2(cudaGraphExec_t graph, cudaGraphNode_t node,
                                                        kernel_node const* params) {
  return call([&](process&) {
    cudaKernelNodeParams const common = common_of(params);
    return runtime::cudaGraphExecKernelNodeSetParams(graph, node, &common);
  });
}
MMM_CU_FORWARD(cuGraphAddKernelNode, cudaGraphAddKernelNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, cudaKernelNodeParams const* params),
               (out, graph, after, count, params))
MMM_CU_FORWARD(cuGraphKernelNodeSetParams, cudaGraphKernelNodeSetParams,
               (cudaGraphNode_t node, cudaKernelNodeParams const* params), (node, params))
MMM_CU_FORWARD(cuGraphKernelNodeGetParams, cudaGraphKernelNodeGetParams,
               (cudaGraphNode_t node, cudaKernelNodeParams* out), (node, out))
MMM_CU_FORWARD(cuGraphExecKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
               (cudaGraphExec_t graph, cudaGraphNode_t node, cudaKernelNodeParams const* params),
               (graph, node, params))
MMM_CU_FORWARD(cuGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute,
               (cudaGraphNode_t node, cudaLaunchAttributeID id, cudaLaunchAttributeValue* out),
               (node, id, out))
MMM_CU_FORWARD(cuGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute,
               (cudaGraphNode_t node, cudaLaunchAttributeID id,
                cudaLaunchAttributeValue const* value),
               (node, id, value))
MMM_CU_FORWARD(cuGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes,
               (cudaGraphNode_t destination, cudaGraphNode_t source), (destination, source))
MMM_CUDA_API CUresult cuGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                           cudaGraphNode_t const* after, std::size_t count,
                                           CUDA_MEMCPY3D const* params, CUcontext /*context*/) {
  return call([&](process& p) {
    cudaMemcpy3DParms const box = copy_of(p, params);
    return runtime::cudaGraphAddMemcpyNode(out, graph, after, count, &box);
  });
}
MMM_CUDA_API CUresult cuGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                 CUDA_MEMCPY3D const* params) {
  return call([&](process& p) {
    cudaMemcpy3DParms const box = copy_of(p, params);
    return runtime::cudaGraphMemcpyNodeSetParams(node, &box);
  });
}
MMM_CUDA_API CUresult cuGraphMemcpyNodeGetParams(cudaGraphNode_t node, CUDA_MEMCPY3D* out) {
  return call([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    cudaMemcpy3DParms box;
    cudaError_t const e = runtime::cudaGraphMemcpyNodeGetParams(node, &box);
    if (e == cudaSuccess) *out = copy_of(p, box);
    return e;
  });
}
MMM_CUDA_API CUresult cuGraphExecMemcpyNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                                     CUDA_MEMCPY3D const* params,
                                                     CUcontext /*context*/) {
  return call([&](process& p) {
    cudaMemcpy3DParms const box = copy_of(p, params);
    return runtime::cudaGraphExecMemcpyNodeSetParams(graph, node, &box);
  });
}
MMM_CUDA_API CUresult cuGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                           cudaGraphNode_t const* after, std::size_t count,
                                           cudaMemsetParams const* params, CUcontext /*context*/) {
  return call(
      [&](process&) { return runtime::cudaGraphAddMemsetNode(out, graph, after, count, params); });
}
MMM_CU_FORWARD(cuGraphMemsetNodeSetParams, cudaGraphMemsetNodeSetParams,
               (cudaGraphNode_t node, cudaMemsetParams const* params), (node, params))
MMM_CU_FORWARD(cuGraphMemsetNodeGetParams, cudaGraphMemsetNodeGetParams,
               (cudaGraphNode_t node, cudaMemsetParams* out), (node, out))
MMM_CUDA_API CUresult cuGraphExecMemsetNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                                     cudaMemsetParams const* params,
                                                     CUcontext /*context*/) {
  return call(
      [&](process&) { return runtime::cudaGraphExecMemsetNodeSetParams(graph, node, params); });
}
MMM_CU_FORWARD(cuGraphAddHostNode, cudaGraphAddHostNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, cudaHostNodeParams const* params),
               (out, graph, after, count, params))
MMM_CU_FORWARD(cuGraphHostNodeSetParams, cudaGraphHostNodeSetParams,
               (cudaGraphNode_t node, cudaHostNodeParams const* params), (node, params))
MMM_CU_FORWARD(cuGraphHostNodeGetParams, cudaGraphHostNodeGetParams,
               (cudaGraphNode_t node, cudaHostNodeParams* out), (node, out))
MMM_CU_FORWARD(cuGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams,
               (cudaGraphExec_t graph, cudaGraphNode_t node, cudaHostNodeParams const* params),
               (graph, node, params))
MMM_CU_FORWARD(cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, cudaEvent_t event),
               (out, graph, after, count, event))
MMM_CU_FORWARD(cuGraphEventRecordNodeGetEvent, cudaGraphEventRecordNodeGetEvent,
               (cudaGraphNode_t node, cudaEvent_t* out), (node, out))
MMM_CU_FORWARD(cuGraphEventRecordNodeSetEvent, cudaGraphEventRecordNodeSetEvent,
               (cudaGraphNode_t node, cudaEvent_t event), (node, event))
MMM_CU_FORWARD(cuGraphExecEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent,
               (cudaGraphExec_t graph, cudaGraphNode_t node, cudaEvent_t event),
               (graph, node, event))
MMM_CU_FORWARD(cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, cudaEvent_t event),
               (out, graph, after, count, event))
MMM_CU_FORWARD(cuGraphEventWaitNodeGetEvent, cudaGraphEventWaitNodeGetEvent,
               (cudaGraphNode_t node, cudaEvent_t* out), (node, out))
MMM_CU_FORWARD(cuGraphEventWaitNodeSetEvent, cudaGraphEventWaitNodeSetEvent,
               (cudaGraphNode_t node, cudaEvent_t event), (node, event))
MMM_CU_FORWARD(cuGraphExecEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent,
               (cudaGraphExec_t graph, cudaGraphNode_t node, cudaEvent_t event),
               (graph, node, event))
MMM_CU_FORWARD(cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, cudaGraph_t child),
               (out, graph, after, count, child))
MMM_CU_FORWARD(cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph,
               (cudaGraphNode_t node, cudaGraph_t* out), (node, out))
MMM_CU_FORWARD(cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams,
               (cudaGraphExec_t graph, cudaGraphNode_t node, cudaGraph_t child),
               (graph, node, child))
MMM_CU_FORWARD(cuGraphAddMemAllocNode, cudaGraphAddMemAllocNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, cudaMemAllocNodeParams* params),
               (out, graph, after, count, params))
MMM_CU_FORWARD(cuGraphMemAllocNodeGetParams, cudaGraphMemAllocNodeGetParams,
               (cudaGraphNode_t node, cudaMemAllocNodeParams* out), (node, out))
MMM_CU_FORWARD(cuGraphAddMemFreeNode, cudaGraphAddMemFreeNode,
               (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                std::size_t count, void* address),
               (out, graph, after, count, address))
MMM_CU_FORWARD(cuGraphMemFreeNodeGetParams, cudaGraphMemFreeNodeGetParams,
               (cudaGraphNode_t node, void** out), (node, out))
MMM_CUDA_API CUresult cuGraphConditionalHandleCreate(cudaGraphConditionalHandle* out,
                                                     cudaGraph_t graph, CUcontext context,
                                                     unsigned value, unsigned flags) {
  return call([&](process& p) {
    (void)device_of(p, context);
    return runtime::cudaGraphConditionalHandleCreate(out, graph, value, flags);
  });
}
MMM_CUDA_API CUresult cuGraphAddNode_v2(cudaGraphNode_t* out, cudaGraph_t graph,
                                        cudaGraphNode_t const* after,
                                        cudaGraphEdgeData const* edges, std::size_t count,
                                        cudaGraphNodeParams* given) {
  return call([&](process& p) {
    cudaGraphNodeParams params = node_of(p, given);
    cudaError_t const e = runtime::cudaGraphAddNode(out, graph, after, edges, count, &params);
    if (e == cudaSuccess) give_back(params, *given);
    return e;
  });
}
MMM_CUDA_API CUresult cuGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                     cudaGraphNode_t const* after, std::size_t count,
                                     cudaGraphNodeParams* given) {
  return cuGraphAddNode_v2(out, graph, after, nullptr, count, given);
}
MMM_CUDA_API CUresult cuGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* given) {
  return call([&](process& p) {
    cudaGraphNodeParams params = node_of(p, given);
    return runtime::cudaGraphNodeSetParams(node, &params);
  });
}
MMM_CUDA_API CUresult cuGraphExecNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                               cudaGraphNodeParams* given) {
  return call([&](process& p) {
    cudaGraphNodeParams params = node_of(p, given);
    return runtime::cudaGraphExecNodeSetParams(graph, node, &params);
  });
}

// --- executable graphs ---------------------------------------------------------------------------

MMM_CU_FORWARD(cuGraphInstantiateWithFlags, cudaGraphInstantiate,
               (cudaGraphExec_t * out, cudaGraph_t graph, unsigned long long flags),
               (out, graph, flags))
MMM_CUDA_API CUresult cuGraphInstantiate_v2(cudaGraphExec_t* out, cudaGraph_t graph,
                                            cudaGraphNode_t* wrong, char* log, std::size_t bytes) {
  return call([&](process&) {
    if (wrong != nullptr) *wrong = nullptr;
    if (log != nullptr && bytes != 0) *log = 0;
    return runtime::cudaGraphInstantiate(out, graph, 0);
  });
}
MMM_CUDA_API CUresult cuGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                         cudaGraphNode_t* wrong, char* log, std::size_t bytes) {
  return cuGraphInstantiate_v2(out, graph, wrong, log, bytes);
}
MMM_CU_FORWARD_IN_STREAM(cuGraphInstantiateWithParams, _ptsz, cudaGraphInstantiateWithParams,
                         (cudaGraphExec_t * out, cudaGraph_t graph,
                          cudaGraphInstantiateParams* how),
                         (out, graph, how))
MMM_CU_FORWARD(cuGraphExecGetFlags, cudaGraphExecGetFlags,
               (cudaGraphExec_t graph, unsigned long long* flags), (graph, flags))
MMM_CU_FORWARD(cuGraphExecDestroy, cudaGraphExecDestroy, (cudaGraphExec_t graph), (graph))
MMM_CU_FORWARD_IN_STREAM(cuGraphUpload, _ptsz, cudaGraphUpload,
                         (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream))
MMM_CU_FORWARD_IN_STREAM(cuGraphLaunch, _ptsz, cudaGraphLaunch,
                         (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream))
MMM_CU_FORWARD(cuGraphExecUpdate_v2, cudaGraphExecUpdate,
               (cudaGraphExec_t graph, cudaGraph_t source, cudaGraphExecUpdateResultInfo* result),
               (graph, source, result))
MMM_CUDA_API CUresult cuGraphExecUpdate(cudaGraphExec_t graph, cudaGraph_t source,
                                        cudaGraphNode_t* wrong, cudaGraphExecUpdateResult* result) {
  return call([&](process&) {
    require(result != nullptr, cudaErrorInvalidValue);
    cudaGraphExecUpdateResultInfo all{};
    cudaError_t const e = runtime::cudaGraphExecUpdate(graph, source, &all);
    *result = all.result;
    if (wrong != nullptr) *wrong = all.errorNode;
    return e;
  });
}
MMM_CU_FORWARD(cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled,
               (cudaGraphExec_t graph, cudaGraphNode_t node, unsigned enabled),
               (graph, node, enabled))
MMM_CU_FORWARD(cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled,
               (cudaGraphExec_t graph, cudaGraphNode_t node, unsigned* enabled),
               (graph, node, enabled))
MMM_CU_FORWARD(cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim, (CUdevice device), (device))
MMM_CU_FORWARD(cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute,
               (CUdevice device, cudaGraphMemAttributeType attribute, void* value),
               (device, attribute, value))
MMM_CU_FORWARD(cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute,
               (CUdevice device, cudaGraphMemAttributeType attribute, void* value),
               (device, attribute, value))

}  // namespace device::driver
