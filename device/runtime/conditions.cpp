// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions of conditional graph nodes.
#include "tables.hpp"

#include <algorithm>

namespace device::runtime {

using namespace abi;

void set_condition(process& p, cudaGraphConditionalHandle handle, unsigned value) {
  auto const found = p.table.conditions.find(handle);
  if (found == p.table.conditions.end())
    throw device_fault(device_fault::kind_type::illegal_address,
                       "cudaGraphSetConditional with a handle that no graph has");
  found->second.value = value;
}

void begin_conditions(process& p, std::vector<cudaGraphConditionalHandle> const& all) {
  for (cudaGraphConditionalHandle const h : all) {
    tables::condition& c = p.table.conditions.at(h);
    c.value = c.at_launch;
  }
}

std::vector<cudaGraphConditionalHandle> conditions_of(process& p, graph const& g) {
  std::vector<cudaGraphConditionalHandle> all;
  for (auto const& n : g.nodes) {
    if (auto const* const c = std::get_if<condition_work>(&n->task))
      if (p.table.conditions.at(c->condition).begins_so) all.push_back(c->condition);
    for (graph const* const inner : embedded_in(n->task))
      for (cudaGraphConditionalHandle const h : conditions_of(p, *inner)) all.push_back(h);
  }
  return all;
}

bool has_condition(graph const& g) {
  return std::any_of(g.nodes.begin(), g.nodes.end(), [](auto const& n) {
    auto const inner = embedded_in(n->task);
    return std::holds_alternative<condition_work>(n->task) ||
           std::any_of(inner.begin(), inner.end(),
                       [](graph const* i) { return has_condition(*i); });
  });
}

condition_work condition_of(process& p, cudaConditionalNodeParams& given) {
  auto const found = p.table.conditions.find(given.handle);
  require(found != p.table.conditions.end() && !found->second.is_used, cudaErrorInvalidValue);
  bool const size_fits = given.type == cudaGraphCondTypeIf      ? given.size == 1 || given.size == 2
                         : given.type == cudaGraphCondTypeWhile ? given.size == 1
                                                                : given.size >= 1;
  require(given.type <= cudaGraphCondTypeSwitch && size_fits, cudaErrorInvalidValue);
  found->second.is_used = true;
  condition_work made;
  made.condition = given.handle;
  made.owner = found->second.owners.lock();
  made.type = given.type;
  made.handles = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned k = 0; k < given.size; ++k) {
    made.bodies.emplace_back(make_graph(p));
    made.handles->push_back(handle_of(made.bodies.back().get()));
  }
  given.phGraph_out = made.handles->data();
  return made;
}

graph* next_body(process& p, condition_work const& c, std::uint64_t before) {
  unsigned const value = p.table.conditions.at(c.condition).value;
  if (c.type == cudaGraphCondTypeWhile) return value != 0 ? c.bodies[0].get() : nullptr;
  if (before != 0) return nullptr;
  std::size_t const chosen = c.type == cudaGraphCondTypeSwitch ? value : value != 0 ? 0 : 1;
  return chosen < c.bodies.size() ? c.bodies[chosen].get() : nullptr;
}

MMM_CUDA_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out,
                                                          cudaGraph_t handle, unsigned value,
                                                          unsigned flags) {
  return api([&](process& p) {
    constexpr unsigned assign_default = 1;
    require(out != nullptr && flags <= assign_default, cudaErrorInvalidValue);
    graph& g = graph_of(p, handle);
    *out = p.table.next_number++;
    auto const erase = [&all = p.table.conditions, number = *out](void*) { all.erase(number); };
    g.conditions.emplace_back(&p, erase);
    p.table.conditions[*out] = {value, value, flags == assign_default, false, g.conditions.back()};
  });
}

}  // namespace device::runtime
