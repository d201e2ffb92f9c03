// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_parameters.hpp"

#include "launch.hpp"

#include <device/core/failure.hpp>

namespace device::runtime {

using namespace abi;

work work_of(process& p, cudaKernelNodeParams const* k) {
  require(k != nullptr, cudaErrorInvalidValue);
  require(k->kernelParams == nullptr || k->extra == nullptr, cudaErrorInvalidValue);
  return kernel_work_of(p, k->func, k->gridDim, k->blockDim, k->sharedMemBytes, k->kernelParams,
                        k->extra);
}

work work_of(process&, cudaMemcpy3DParms const* c) {
  require(c != nullptr, cudaErrorInvalidValue);
  return copy_work{*c};
}

work work_of(process&, cudaMemsetParams const* m) {
  require(m != nullptr, cudaErrorInvalidValue);
  fill_work f;
  f.rows = *m;
  return f;
}

work work_of(process&, cudaHostNodeParams const* h) {
  require(h != nullptr, cudaErrorInvalidValue);
  return host_work{h->fn, h->userData};
}

work allocation_of(process& p, cudaMemAllocNodeParams* a) {
  require(a != nullptr && a->bytesize != 0, cudaErrorInvalidValue);
  bool const plain = a->poolProps.allocType == cudaMemAllocationTypePinned &&
                     a->poolProps.handleTypes == cudaMemHandleTypeNone &&
                     a->poolProps.location.type == cudaMemLocationTypeDevice;
  require(plain && (a->accessDescs != nullptr || a->accessDescCount == 0), cudaErrorInvalidValue);
  allocate_work made =
      reserve_for_graph(p, a->bytesize, p.of_device(a->poolProps.location.id).number);
  made.params.poolProps = a->poolProps;
  made.access.assign(a->accessDescs, a->accessDescs + a->accessDescCount);
  a->dptr = made.params.dptr;
  return made;
}

work freeing_of(process& p, void* pointer) {
  require(p.table.graph_memory.contains(address_of(pointer)), cudaErrorInvalidValue);
  return free_work{pointer, {}};
}

work child_of(process& p, cudaGraph_t handle) {
  require(!has_condition(graph_of(p, handle)), cudaErrorNotSupported);
  return child_work{std::shared_ptr<graph>(clone(p, graph_of(p, handle), false))};
}

work work_of(process& p, cudaGraphNodeParams* n) {
  require(n != nullptr, cudaErrorInvalidValue);
  switch (n->type) {
    case cudaGraphNodeTypeKernel:
      return work_of(p, &n->kernel);
    case cudaGraphNodeTypeMemcpy:
      return work_of(p, &n->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return work_of(p, &n->memset);
    case cudaGraphNodeTypeHost:
      return work_of(p, &n->host);
    case cudaGraphNodeTypeGraph:
      require(n->graph.ownership == cudaGraphChildGraphOwnershipClone, cudaErrorNotSupported);
      return child_of(p, n->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return empty_work{};
    case cudaGraphNodeTypeWaitEvent:
      return wait_work{&event_of(p, n->event.event)};
    case cudaGraphNodeTypeEventRecord:
      return record_work{&event_of(p, n->event.event)};
    case cudaGraphNodeTypeMemAlloc:
      return allocation_of(p, &n->alloc);
    case cudaGraphNodeTypeMemFree:
      return freeing_of(p, n->free.dptr);
    case cudaGraphNodeTypeConditional:
      return condition_of(p, n->conditional);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      throw unsupported("external semaphores are not supported by this device");
    case cudaGraphNodeTypeCount:
      break;
  }
  throw failure{cudaErrorInvalidValue};
}

void set_parameters(process& p, graph_node& n, work w) {
  require(w.index() == n.task.index(), cudaErrorInvalidValue);
  require(!std::holds_alternative<condition_work>(w), cudaErrorNotSupported);
  bool const of_memory =
      std::holds_alternative<allocate_work>(w) || std::holds_alternative<free_work>(w);
  require(!of_memory, cudaErrorNotSupported);
  if (auto* const k = std::get_if<kernel_work>(&w)) {
    auto const& before = std::get<kernel_work>(n.task);
    k->attributes = before.attributes;
    k->cooperative = before.cooperative;
  }
  check(p, w);
  n.task = std::move(w);
}

}  // namespace device::runtime
