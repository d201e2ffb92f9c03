// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions of conditional graph nodes.
#include "tables.hpp"

namespace device::runtime {

using namespace abi;

void set_condition(process& p, cudaGraphConditionalHandle handle, unsigned value) {
  auto const found = p.table.conditions.find(handle);
  if (found == p.table.conditions.end())
    throw device_fault(device_fault::kind_type::illegal_address,
                       "cudaGraphSetConditional with a handle that no graph has");
  found->second.value = value;
}

MMM_CUDA_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out,
                                                          cudaGraph_t handle, unsigned value,
                                                          unsigned flags) {
  return api([&](process& p) {
    constexpr unsigned assign_default = 1;
    require(out != nullptr && flags <= assign_default, cudaErrorInvalidValue);
    graph const& g = graph_of(p, handle);
    *out = p.table.next_number++;
    p.table.conditions[*out] = {value, value, flags == assign_default, &g, false};
  });
}

}  // namespace device::runtime
