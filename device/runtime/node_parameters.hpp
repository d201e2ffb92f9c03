// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/tables.hpp>

//! CUDA's descriptions of nodes as pieces of work, and back.
namespace device::runtime {

[[nodiscard]] work work_of(process&, abi::cudaKernelNodeParams const*);
[[nodiscard]] work work_of(process&, abi::cudaMemcpy3DParms const*);
[[nodiscard]] work work_of(process&, abi::cudaMemsetParams const*);
[[nodiscard]] work work_of(process&, abi::cudaHostNodeParams const*);
//! The work of a node of any kind. Writes the address of an allocation, or the handle of a child
//! graph, back into the parameters.
[[nodiscard]] work work_of(process&, abi::cudaGraphNodeParams*);
[[nodiscard]] work allocation_of(process&, abi::cudaMemAllocNodeParams*);
[[nodiscard]] work freeing_of(process&, void* pointer);
[[nodiscard]] work child_of(process&, abi::cudaGraph_t);

//! Gives a node, of a graph or of an executable one, other parameters of the same kind. A kernel
//! keeps its attributes.
void set_parameters(process&, graph_node&, work);

//! The contents of a node of that kind; fails with cudaErrorInvalidValue for another node.
template <class Kind>
[[nodiscard]] Kind& part_of(graph_node& n) {
  Kind* const kind = std::get_if<Kind>(&n.task);
  require(kind != nullptr, abi::cudaErrorInvalidValue);
  return *kind;
}

}  // namespace device::runtime
