// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_parameters.hpp"
#include "symbols.hpp"

namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

//! Notes which node of an executable graph stands for which node of the graph it was made of, child
//! graphs included.
void note_origins(executable_graph& e, graph const& mine, graph const& theirs) {
  for (std::size_t k = 0; k < mine.nodes.size(); ++k) {
    e.by_origin[theirs.nodes[k]->number] = mine.nodes[k].get();
    auto const inner = embedded_in(mine.nodes[k]->task);
    auto const originals = embedded_in(theirs.nodes[k]->task);
    for (std::size_t i = 0; i < inner.size(); ++i) note_origins(e, *inner[i], *originals[i]);
  }
}

//! \param of_condition false for what CUDA allows in the bodies of conditional nodes only
void check_all(process& p, graph const& g, bool of_condition = false) {
  for (graph_node const* const n : in_order(g)) {
    check(p, n->task);
    if (of_condition) {
      cudaGraphNodeType const type = type_of(n->task);
      require(type <= cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeGraph ||
                  type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeConditional,
              cudaErrorNotSupported);
    }
    bool const inner_of_condition = of_condition || std::holds_alternative<condition_work>(n->task);
    for (graph const* const inner : embedded_in(n->task)) check_all(p, *inner, inner_of_condition);
  }
}

//! The reason why device code cannot launch a graph; success if it can. `device`: that of all
//! kernels so far, -1 without one.
cudaGraphInstantiateResult check_device_graph(process& p, graph const& g, int& device) {
  auto const is_out_of_reach = [&](cudaArray_t array, void const* memory) {
    return array != nullptr || !p.memory.holds(address_of(memory), 1);
  };
  for (auto const& n : g.nodes) {
    if (auto const* const k = std::get_if<kernel_work>(&n->task)) {
      if (device >= 0 && k->device != device)
        return cudaGraphInstantiateMultipleDevicesNotSupported;
      device = k->device;
    } else if (auto const* const c = std::get_if<copy_work>(&n->task)) {
      if (is_out_of_reach(c->box.srcArray, c->box.srcPtr.ptr) ||
          is_out_of_reach(c->box.dstArray, c->box.dstPtr.ptr))
        return cudaGraphInstantiateNodeOperationNotSupported;
    } else if (auto const* const child = std::get_if<child_work>(&n->task)) {
      if (auto const result = check_device_graph(p, *child->embedded, device);
          result != cudaGraphInstantiateSuccess)
        return result;
    } else if (!std::holds_alternative<fill_work>(n->task)) {
      return cudaGraphInstantiateNodeOperationNotSupported;
    }
  }
  return cudaGraphInstantiateSuccess;
}

void instantiate(process& p, cudaGraphExec_t* out, cudaGraph_t handle, unsigned long long flags,
                 cudaGraphInstantiateResult* why = nullptr) {
  bool const by_device = (flags & cudaGraphInstantiateFlagDeviceLaunch) != 0;
  require(out != nullptr && (flags & ~known_flags) == 0 &&
              !(by_device && (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0),
          cudaErrorInvalidValue);
  graph const& g = graph_of(p, handle);
  check_all(p, g);
  if (int device = -1; by_device) {
    cudaGraphInstantiateResult const result = check_device_graph(p, g, device);
    if (why != nullptr) *why = result;
    require(result == cudaGraphInstantiateSuccess, cudaErrorNotSupported);
    p.table.has_device_graphs = true;
  }
  auto made = std::make_unique<executable_graph>();
  made->code = clone(p, g, false);
  made->flags = flags;
  made->is_uploaded = (flags & cudaGraphInstantiateFlagUpload) != 0;
  note_origins(*made, *made->code, g);
  *out = handle_of(made.get());
  p.table.executables.emplace(made.get(), std::move(made));
}

//! The node of an executable graph that stands for a node of the graph that it was made of.
graph_node& executable_node(process& p, cudaGraphExec_t handle, cudaGraphNode_t node) {
  executable_graph& e = executable_of(p, handle);
  auto const found = e.by_origin.find(node_of(p, node).number);
  require(found != e.by_origin.end(), cudaErrorInvalidValue);
  return *found->second;
}

//! Gives a node what `make(process&)` describes.
template <class Make>
cudaError_t set(cudaGraphExec_t handle, cudaGraphNode_t node, Make const& make) {
  return api([&](process& p) {
    graph_node& n = executable_node(p, handle, node);
    set_parameters(p, n, make(p));
  });
}

//! Memory that the last run has allocated must have been freed, or is now if the graph was made so.
void prepare_memory(process& p, executable_graph const& e, graph const& g) {
  for (auto const& n : g.nodes) {
    for (graph const* const inner : embedded_in(n->task)) prepare_memory(p, e, *inner);
    auto const* const a = std::get_if<allocate_work>(&n->task);
    if (a == nullptr) continue;
    auto const found = p.table.graph_memory.find(address_of(a->params.dptr));
    if (found == p.table.graph_memory.end() || !found->second.live) continue;
    require((e.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0, cudaErrorInvalidValue);
    found->second.live = false;
  }
}

//! The difference between two graphs that an update cannot change.
struct difference {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  graph_node* mine = nullptr;
  graph_node* theirs = nullptr;
};

std::size_t index_of(graph const& g, graph_node const* n) {
  std::size_t k = 0;
  while (g.nodes[k].get() != n) ++k;
  return k;
}

//! Nodes stand for each other in the order in which they were added.
difference compare(graph const& mine, graph const& theirs) {
  if (mine.nodes.size() != theirs.nodes.size())
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  for (std::size_t k = 0; k < mine.nodes.size(); ++k) {
    graph_node* const a = mine.nodes[k].get();
    graph_node* const b = theirs.nodes[k].get();
    if (a->task.index() != b->task.index()) return {cudaGraphExecUpdateErrorNodeTypeChanged, a, b};
    std::set<std::size_t> of_a, of_b;
    for (dependency const& d : a->after) of_a.insert(index_of(mine, d.before));
    for (dependency const& d : b->after) of_b.insert(index_of(theirs, d.before));
    if (of_a != of_b) return {cudaGraphExecUpdateErrorTopologyChanged, a, b};
    if (auto const* m = std::get_if<allocate_work>(&a->task))
      if (m->params.dptr != std::get<allocate_work>(b->task).params.dptr)
        return {cudaGraphExecUpdateErrorNotSupported, a, b};
    if (auto const* c = std::get_if<condition_work>(&a->task)) {
      auto const& other = std::get<condition_work>(b->task);
      if (c->type != other.type || c->condition != other.condition)
        return {cudaGraphExecUpdateErrorParametersChanged, a, b};
    }
    auto const inner = embedded_in(a->task);
    auto const theirs_inner = embedded_in(b->task);
    if (inner.size() != theirs_inner.size())
      return {cudaGraphExecUpdateErrorParametersChanged, a, b};
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (difference const d = compare(*inner[i], *theirs_inner[i]); d.result != 0) return d;
  }
  return {};
}

void update(process& p, graph& mine, graph const& theirs) {
  for (std::size_t k = 0; k < mine.nodes.size(); ++k) {
    graph_node& n = *mine.nodes[k];
    auto const inner = embedded_in(n.task);
    auto const theirs_inner = embedded_in(theirs.nodes[k]->task);
    for (std::size_t i = 0; i < inner.size(); ++i) update(p, *inner[i], *theirs_inner[i]);
    if (inner.empty()) n.task = theirs.nodes[k]->task;
  }
}

}  // namespace

executable_graph& executable_of(process& p, cudaGraphExec_t handle) {
  auto const found = p.table.executables.find(reinterpret_cast<executable_graph*>(handle));
  require(found != p.table.executables.end(), cudaErrorInvalidValue);
  return *found->second;
}

MMM_CUDA_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t handle,
                                              unsigned long long flags) {
  return api([&](process& p) { instantiate(p, out, handle, flags); });
}

MMM_CUDA_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t handle,
                                                       unsigned long long flags) {
  return api([&](process& p) { instantiate(p, out, handle, flags); });
}

MMM_CUDA_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t handle,
                                                        cudaGraphInstantiateParams* how) {
  return api([&](process& p) {
    require(how != nullptr, cudaErrorInvalidValue);
    how->errNode_out = nullptr;
    how->result_out = cudaGraphInstantiateInvalidStructure;
    instantiate(p, out, handle, how->flags, &how->result_out);
    how->result_out = cudaGraphInstantiateSuccess;
  });
}

MMM_CUDA_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return api([&](process& p) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = executable_of(p, handle).flags;
  });
}

MMM_CUDA_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return api([&](process& p) {
    executable_graph& e = executable_of(p, handle);
    dismantle(p, *e.code);
    p.table.executables.erase(&e);
  });
}

MMM_CUDA_API cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t in) {
  return api([&](process& p) {
    executable_graph& e = executable_of(p, handle);
    forbid_if_capturing(p, stream_of(p, in));
    e.is_uploaded = true;
  });
}

MMM_CUDA_API cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t in) {
  return api([&](process& p) {
    executable_graph& e = executable_of(p, handle);
    stream& s = stream_of(p, in);
    if (s.capturing == nullptr) {
      prepare_memory(p, e, *e.code);
      e.is_uploaded = true;
      // is not kept
      issue(p, in, child_work{std::shared_ptr<graph>(std::shared_ptr<void>{}, e.code.get()), &e});
    } else {
      require(!has_condition(*e.code), cudaErrorNotSupported);
      add_captured(p, s, child_work{std::shared_ptr<graph>(clone(p, *e.code, false))});
    }
  });
}

MMM_CUDA_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t source,
                                             cudaGraphExecUpdateResultInfo* result) {
  return api([&](process& p) {
    executable_graph& e = executable_of(p, handle);
    graph const& g = graph_of(p, source);
    difference const d = compare(*e.code, g);
    if (result != nullptr) *result = {d.result, handle_of(d.theirs), nullptr};
    if (d.result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    check_all(p, g);
    update(p, *e.code, g);
    note_origins(e, *e.code, g);
    return cudaSuccess;
  });
}

// --- nodes ---------------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 unsigned enabled) {
  return api([&](process& p) {
    graph_node& n = executable_node(p, handle, node);
    cudaGraphNodeType const type = type_of(n.task);
    require(type <= cudaGraphNodeTypeMemset, cudaErrorInvalidValue);
    n.enabled = enabled != 0;
  });
}

MMM_CUDA_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 unsigned* enabled) {
  return api([&](process& p) {
    require(enabled != nullptr, cudaErrorInvalidValue);
    *enabled = executable_node(p, handle, node).enabled ? 1 : 0;
  });
}

MMM_CUDA_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                    cudaGraphNodeParams* params) {
  return set(handle, node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t handle,
                                                          cudaGraphNode_t node,
                                                          cudaKernelNodeParams const* params) {
  return set(handle, node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t handle,
                                                          cudaGraphNode_t node,
                                                          cudaMemcpy3DParms const* params) {
  return set(handle, node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t handle,
                                                            cudaGraphNode_t node, void* destination,
                                                            void const* source, std::size_t bytes,
                                                            cudaMemcpyKind kind) {
  return set(handle, node, [&](process&) { return copy_of(destination, source, bytes, kind); });
}

MMM_CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t handle, cudaGraphNode_t node, void const* symbol, void const* source,
    std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return set(handle, node,
             [&](process& p) { return copy_to_symbol(p, symbol, source, bytes, offset, kind); });
}

MMM_CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t handle, cudaGraphNode_t node, void* destination, void const* symbol,
    std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return set(handle, node, [&](process& p) {
    return copy_from_symbol(p, destination, symbol, bytes, offset, kind);
  });
}

MMM_CUDA_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t handle,
                                                          cudaGraphNode_t node,
                                                          cudaMemsetParams const* params) {
  return set(handle, node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t handle,
                                                        cudaGraphNode_t node,
                                                        cudaHostNodeParams const* params) {
  return set(handle, node, [&](process& p) { return work_of(p, params); });
}

MMM_CUDA_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t handle,
                                                              cudaGraphNode_t node,
                                                              cudaEvent_t event_handle) {
  return set(handle, node, [&](process& p) { return record_work{&event_of(p, event_handle)}; });
}

MMM_CUDA_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t handle,
                                                            cudaGraphNode_t node,
                                                            cudaEvent_t event_handle) {
  return set(handle, node, [&](process& p) { return wait_work{&event_of(p, event_handle)}; });
}

MMM_CUDA_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle,
                                                              cudaGraphNode_t node,
                                                              cudaGraph_t child) {
  return api([&](process& p) {
    executable_graph& e = executable_of(p, handle);
    graph& mine = *part_of<child_work>(executable_node(p, handle, node)).embedded;
    graph const& theirs = graph_of(p, child);
    require(compare(mine, theirs).result == cudaGraphExecUpdateSuccess, cudaErrorInvalidValue);
    check_all(p, theirs);
    update(p, mine, theirs);
    note_origins(e, mine, theirs);
  });
}

}  // namespace device::runtime
