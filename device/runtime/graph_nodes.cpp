// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.hpp"
#include "node_parameters.hpp"
#include "symbols.hpp"

#include <cstring>

namespace device::runtime {

using namespace abi;

namespace {

//! Adds the node that `make(process&)` describes.
template <class Make>
cudaError_t add(cudaGraphNode_t* out, cudaGraph_t handle, cudaGraphNode_t const* after,
                cudaGraphEdgeData const* edges, std::size_t count, Make const& make) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    graph& g = graph_of(p, handle);
    auto before = dependencies_of(p, g, after, edges, count);
    work w = make(p);
    check(p, w);
    *out = handle_of(&add_node(p, g, std::move(w), std::move(before)));
  });
}

//! Gives a node what `make(process&)` describes.
template <class Make>
cudaError_t set(cudaGraphNode_t handle, Make const& make) {
  return api([&](process& p) {
    graph_node& n = node_of(p, handle);
    set_parameters(p, n, make(p));
  });
}

//! `use(part, process&)` of a node of that kind.
template <class Kind, class Use>
cudaError_t inspect(cudaGraphNode_t handle, void const* out, Use const& use) {
  return api([&](process& p) {
    graph_node& n = node_of(p, handle);
    require(out != nullptr, cudaErrorInvalidValue);
    use(part_of<Kind>(n), n, p);
  });
}

}  // namespace

MMM_CUDA_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t g,
                                          cudaGraphNode_t const* after,
                                          cudaGraphEdgeData const* edges, std::size_t count,
                                          cudaGraphNodeParams* params) {
  cudaError_t const result =
      add(out, g, after, edges, count, [&](process& p) { return work_of(p, params); });
  if (result == cudaSuccess && params->type == cudaGraphNodeTypeGraph)
    params->graph.graph =
        handle_of(std::get<child_work>(reinterpret_cast<graph_node*>(*out)->task).embedded.get());
  return result;
}

MMM_CUDA_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return set(node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t g,
                                               cudaGraphNode_t const* after, std::size_t count) {
  return add(out, g, after, nullptr, count, [](process&) { return empty_work{}; });
}

// --- kernels -------------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                cudaGraphNode_t const* after, std::size_t count,
                                                cudaKernelNodeParams const* params) {
  return add(out, g, after, nullptr, count, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                      cudaKernelNodeParams const* params) {
  return set(node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                      cudaKernelNodeParams* out) {
  return inspect<kernel_work>(node, out, [&](kernel_work& k, graph_node& n, process& p) {
    n.parameter_pointers.clear();
    for (ptx::parameter const& parameter : program_of(p, *k.function, k.device).source->parameters)
      n.parameter_pointers.push_back(k.params.data() + parameter.offset);
    *out = {const_cast<void*>(k.function->host), k.grid, k.block, static_cast<unsigned>(k.shared),
            n.parameter_pointers.data(),         nullptr};
  });
}

MMM_CUDA_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
                                                         cudaLaunchAttributeID id,
                                                         cudaLaunchAttributeValue* out) {
  return inspect<kernel_work>(node, out, [&](kernel_work& k, graph_node&, process&) {
    auto const found = k.attributes.find(id);
    *out = found == k.attributes.end() ? cudaLaunchAttributeValue{} : found->second;
    if (id == cudaLaunchAttributeCooperative) out->cooperative = k.cooperative ? 1 : 0;
  });
}

MMM_CUDA_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                                         cudaLaunchAttributeID id,
                                                         cudaLaunchAttributeValue const* value) {
  return inspect<kernel_work>(
      node, value, [&](kernel_work& k, graph_node&, process&) { set_attribute(k, id, *value); });
}

MMM_CUDA_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination,
                                                           cudaGraphNode_t source) {
  return inspect<kernel_work>(destination, destination,
                              [&](kernel_work& k, graph_node&, process& p) {
                                auto const& model = part_of<kernel_work>(node_of(p, source));
                                k.attributes = model.attributes;
                                k.cooperative = model.cooperative;
                              });
}

// --- copies --------------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                cudaGraphNode_t const* after, std::size_t count,
                                                cudaMemcpy3DParms const* params) {
  return add(out, g, after, nullptr, count, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t g,
                                                  cudaGraphNode_t const* after, std::size_t count,
                                                  void* destination, void const* source,
                                                  std::size_t bytes, cudaMemcpyKind kind) {
  return add(out, g, after, nullptr, count,
             [&](process&) { return copy_of(destination, source, bytes, kind); });
}

MMM_CUDA_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t g,
                                                        cudaGraphNode_t const* after,
                                                        std::size_t count, void const* symbol,
                                                        void const* source, std::size_t bytes,
                                                        std::size_t offset, cudaMemcpyKind kind) {
  return add(out, g, after, nullptr, count,
             [&](process& p) { return copy_to_symbol(p, symbol, source, bytes, offset, kind); });
}

MMM_CUDA_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t g,
                                                          cudaGraphNode_t const* after,
                                                          std::size_t count, void* destination,
                                                          void const* symbol, std::size_t bytes,
                                                          std::size_t offset, cudaMemcpyKind kind) {
  return add(out, g, after, nullptr, count, [&](process& p) {
    return copy_from_symbol(p, destination, symbol, bytes, offset, kind);
  });
}

MMM_CUDA_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                      cudaMemcpy3DParms const* params) {
  return set(node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                                        void const* source, std::size_t bytes,
                                                        cudaMemcpyKind kind) {
  return set(node, [&](process&) { return copy_of(destination, source, bytes, kind); });
}

MMM_CUDA_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                              void const* symbol,
                                                              void const* source, std::size_t bytes,
                                                              std::size_t offset,
                                                              cudaMemcpyKind kind) {
  return set(node,
             [&](process& p) { return copy_to_symbol(p, symbol, source, bytes, offset, kind); });
}

MMM_CUDA_API cudaError_t
cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* destination, void const* symbol,
                                       std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return set(node, [&](process& p) {
    return copy_from_symbol(p, destination, symbol, bytes, offset, kind);
  });
}

MMM_CUDA_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                      cudaMemcpy3DParms* out) {
  return inspect<copy_work>(node, out, [&](copy_work& c, graph_node&, process&) { *out = c.box; });
}

// --- fills, host functions, events, child graphs -------------------------------------------------

MMM_CUDA_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                cudaGraphNode_t const* after, std::size_t count,
                                                cudaMemsetParams const* params) {
  return add(out, g, after, nullptr, count, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                      cudaMemsetParams const* params) {
  return set(node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* out) {
  return inspect<fill_work>(node, out, [&](fill_work& f, graph_node&, process&) { *out = f.rows; });
}

MMM_CUDA_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t g,
                                              cudaGraphNode_t const* after, std::size_t count,
                                              cudaHostNodeParams const* params) {
  return add(out, g, after, nullptr, count, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                    cudaHostNodeParams const* params) {
  return set(node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* out) {
  return inspect<host_work>(
      node, out, [&](host_work& h, graph_node&, process&) { *out = {h.function, h.data}; });
}

MMM_CUDA_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                     cudaGraphNode_t const* after,
                                                     std::size_t count, cudaEvent_t event_handle) {
  return add(out, g, after, nullptr, count,
             [&](process& p) { return record_work{&event_of(p, event_handle)}; });
}

MMM_CUDA_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
  return inspect<record_work>(
      node, out, [&](record_work& r, graph_node&, process&) { *out = handle_of(r.recorded); });
}

MMM_CUDA_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                                          cudaEvent_t event_handle) {
  return set(node, [&](process& p) { return record_work{&event_of(p, event_handle)}; });
}

MMM_CUDA_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                   cudaGraphNode_t const* after, std::size_t count,
                                                   cudaEvent_t event_handle) {
  return add(out, g, after, nullptr, count,
             [&](process& p) { return wait_work{&event_of(p, event_handle)}; });
}

MMM_CUDA_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
  return inspect<wait_work>(
      node, out, [&](wait_work& w, graph_node&, process&) { *out = handle_of(w.awaited); });
}

MMM_CUDA_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node,
                                                        cudaEvent_t event_handle) {
  return set(node, [&](process& p) { return wait_work{&event_of(p, event_handle)}; });
}

MMM_CUDA_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                    cudaGraphNode_t const* after, std::size_t count,
                                                    cudaGraph_t child) {
  return add(out, g, after, nullptr, count, [&](process& p) { return child_of(p, child); });
}

MMM_CUDA_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* out) {
  return inspect<child_work>(
      node, out, [&](child_work& c, graph_node&, process&) { *out = handle_of(c.embedded.get()); });
}

// --- memory --------------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                  cudaGraphNode_t const* after, std::size_t count,
                                                  cudaMemAllocNodeParams* params) {
  return add(out, g, after, nullptr, count, [&](process& p) { return allocation_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                        cudaMemAllocNodeParams* out) {
  return inspect<allocate_work>(node, out, [&](allocate_work& a, graph_node&, process&) {
    *out = a.params;
    out->accessDescs = a.access.data();
    out->accessDescCount = a.access.size();
  });
}

MMM_CUDA_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t g,
                                                 cudaGraphNode_t const* after, std::size_t count,
                                                 void* address) {
  return add(out, g, after, nullptr, count, [&](process& p) { return freeing_of(p, address); });
}

MMM_CUDA_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
  return inspect<free_work>(node, out, [&](free_work& f, graph_node&, process&) {
    std::memcpy(out, &f.address, sizeof f.address);
  });
}

}  // namespace device::runtime
