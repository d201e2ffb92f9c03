// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <algorithm>

namespace device::runtime {

using namespace abi;

namespace {

void publish(process& p, graph const& g) {
  for (auto const& n : g.nodes) {
    p.table.nodes.insert(n.get());
    for (graph* const inner : embedded_in(n->task)) {
      p.table.embedded_graphs.insert(inner);
      publish(p, *inner);
    }
  }
}

void withdraw(process& p, graph_node& n) {
  p.table.nodes.erase(&n);
  for (graph* const inner : embedded_in(n.task)) {
    p.table.embedded_graphs.erase(inner);
    dismantle(p, *inner);
  }
}

//! True if an edge says only that one node comes after the other; others do so earlier than all of
//! this device's.
bool is_plain(cudaGraphEdgeData const& e) {
  return e.from_port == 0 && e.to_port == 0 && e.type == 0;
}

//! Fills an array of the program as CUDA's functions do: with no array, says only how many there
//! are.
template <class Handle>
void give(std::vector<Handle> const& all, Handle* out, std::size_t* count) {
  require(count != nullptr, cudaErrorInvalidValue);
  if (out != nullptr) {
    for (std::size_t k = 0; k < *count; ++k) out[k] = k < all.size() ? all[k] : nullptr;
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
}

//! Edges of one node, or of all, with their data; without a place for data, only plain ones can be
//! told.
void give_edges(std::vector<cudaGraphEdgeData> const& data, cudaGraphEdgeData* out, bool has_array,
                std::size_t count) {
  if (!has_array) return;
  for (std::size_t k = 0; k < std::min(count, data.size()); ++k) {
    require(out != nullptr || is_plain(data[k]), cudaErrorLossyQuery);
    if (out != nullptr) out[k] = data[k];
  }
}

//! True if a node allocates memory or frees some: such a graph has no clones.
bool has_memory(graph const& g) {
  return std::any_of(g.nodes.begin(), g.nodes.end(), [](auto const& n) {
    auto const inner = embedded_in(n->task);
    return std::holds_alternative<allocate_work>(n->task) ||
           std::holds_alternative<free_work>(n->task) ||
           std::any_of(inner.begin(), inner.end(), [](graph const* i) { return has_memory(*i); });
  });
}

}  // namespace

graph& graph_of(process& p, cudaGraph_t handle) {
  auto* const g = reinterpret_cast<graph*>(handle);
  require(p.table.graphs.contains(g) || p.table.embedded_graphs.contains(g), cudaErrorInvalidValue);
  return *g;
}

graph_node& node_of(process& p, cudaGraphNode_t handle) {
  auto* const n = reinterpret_cast<graph_node*>(handle);
  require(p.table.nodes.contains(n), cudaErrorInvalidValue);
  return *n;
}

std::unique_ptr<graph> make_graph(process&) { return std::make_unique<graph>(); }

graph_node& add_node(process& p, graph& g, work w, std::vector<dependency> after) {
  auto made = std::make_unique<graph_node>();
  made->owner = &g;
  made->number = made->origin = p.table.next_number++;
  made->task = std::move(w);
  made->after = std::move(after);
  graph_node& n = *made;
  g.nodes.push_back(std::move(made));
  p.table.nodes.insert(&n);
  for (graph* const inner : embedded_in(n.task)) {
    p.table.embedded_graphs.insert(inner);
    publish(p, *inner);
  }
  return n;
}

std::vector<dependency> dependencies_of(process& p, graph& g, cudaGraphNode_t const* nodes,
                                        cudaGraphEdgeData const* edges, std::size_t count) {
  require(nodes != nullptr || count == 0, cudaErrorInvalidValue);
  std::vector<dependency> all;
  for (std::size_t k = 0; k < count; ++k) {
    graph_node& n = node_of(p, nodes[k]);
    bool const again =
        std::any_of(all.begin(), all.end(), [&](dependency const& d) { return d.before == &n; });
    require(n.owner == &g && !again, cudaErrorInvalidValue);
    all.push_back({&n, edges == nullptr ? cudaGraphEdgeData{} : edges[k]});
  }
  return all;
}

work clone(process& p, work const& w, bool published) {
  if (auto const* child = std::get_if<child_work>(&w))
    return child_work{std::shared_ptr<graph>(clone(p, *child->embedded, published))};
  if (auto const* const c = std::get_if<condition_work>(&w)) {
    condition_work made = *c;
    for (auto& body : made.bodies) body = std::shared_ptr<graph>(clone(p, *body, published));
    return made;
  }
  return w;
}

std::unique_ptr<graph> clone(process& p, graph const& g, bool published) {
  auto made = make_graph(p);
  made->is_clone = true;
  std::unordered_map<graph_node const*, graph_node*> copy_of_node;
  for (auto const& n : g.nodes) {
    auto copy = std::make_unique<graph_node>();
    copy->owner = made.get();
    copy->number = p.table.next_number++;
    copy->origin = n->number;
    copy->task = clone(p, n->task, false);
    copy->enabled = n->enabled;
    copy_of_node.emplace(n.get(), copy.get());
    made->nodes.push_back(std::move(copy));
  }
  for (std::size_t k = 0; k < g.nodes.size(); ++k)
    for (dependency const& d : g.nodes[k]->after)
      made->nodes[k]->after.push_back({copy_of_node.at(d.before), d.data});
  for (auto const& [object, references] : g.objects) {
    made->objects[object] += 1;
    retain(*object, 1);
  }
  if (published) publish(p, *made);
  return made;
}

void dismantle(process& p, graph& g) {
  for (auto const& n : g.nodes) withdraw(p, *n);
  auto const objects = std::move(g.objects);
  g.objects.clear();
  for (auto const& [object, references] : objects) release(p, *object, references);
}

std::vector<graph_node*> in_order(graph const& g) {
  std::vector<graph_node*> order;
  std::unordered_set<graph_node const*> done;
  bool progress = true;
  while (progress && order.size() < g.nodes.size()) {
    progress = false;
    for (auto const& n : g.nodes) {
      if (done.contains(n.get())) continue;
      bool const ready = std::all_of(n->after.begin(), n->after.end(),
                                     [&](dependency const& d) { return done.contains(d.before); });
      if (!ready) continue;
      done.insert(n.get());
      order.push_back(n.get());
      progress = true;
    }
  }
  require(order.size() == g.nodes.size(), cudaErrorInvalidValue);
  return order;
}

// --- entry points --------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && flags == 0, cudaErrorInvalidValue);
    auto made = make_graph(p);
    *out = handle_of(made.get());
    p.table.graphs.emplace(made.get(), std::move(made));
  });
}

MMM_CUDA_API cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return api([&](process& p) {
    graph& g = graph_of(p, handle);
    // a child graph belongs to its node
    require(p.table.graphs.contains(&g), cudaErrorInvalidValue);
    dismantle(p, g);
    p.table.graphs.erase(&g);
  });
}

MMM_CUDA_API cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t handle) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    graph const& original = graph_of(p, handle);
    require(!has_condition(original) && !has_memory(original), cudaErrorNotSupported);
    auto made = clone(p, original, true);
    *out = handle_of(made.get());
    p.table.graphs.emplace(made.get(), std::move(made));
  });
}

MMM_CUDA_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original,
                                                  cudaGraph_t handle) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    graph const& g = graph_of(p, handle);
    graph_node const& wanted = node_of(p, original);
    for (auto const& n : g.nodes)
      if (g.is_clone && n->origin == wanted.number) {
        *out = handle_of(n.get());
        return;
      }
    throw failure{cudaErrorInvalidValue};
  });
}

MMM_CUDA_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return api([&](process& p) {
    require(type != nullptr, cudaErrorInvalidValue);
    *type = type_of(node_of(p, handle).task);
  });
}

MMM_CUDA_API cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* out,
                                           std::size_t* count) {
  return api([&](process& p) {
    std::vector<cudaGraphNode_t> all;
    for (auto const& n : graph_of(p, handle).nodes) all.push_back(handle_of(n.get()));
    give(all, out, count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* out,
                                               std::size_t* count) {
  return api([&](process& p) {
    std::vector<cudaGraphNode_t> all;
    for (auto const& n : graph_of(p, handle).nodes)
      if (n->after.empty()) all.push_back(handle_of(n.get()));
    give(all, out, count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* befores,
                                           cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                           std::size_t* count) {
  return api([&](process& p) {
    require(count != nullptr && (befores == nullptr) == (to == nullptr), cudaErrorInvalidValue);
    std::vector<cudaGraphNode_t> begins, ends;
    std::vector<cudaGraphEdgeData> edges;
    for (auto const& n : graph_of(p, handle).nodes)
      for (dependency const& d : n->after) {
        begins.push_back(handle_of(d.before));
        ends.push_back(handle_of(n.get()));
        edges.push_back(d.data);
      }
    give_edges(edges, data, befores != nullptr, *count);
    std::size_t room = *count;
    give(begins, befores, &room);
    give(ends, to, count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* out,
                                                      cudaGraphEdgeData* data, std::size_t* count) {
  return api([&](process& p) {
    require(count != nullptr, cudaErrorInvalidValue);
    std::vector<cudaGraphNode_t> all;
    std::vector<cudaGraphEdgeData> edges;
    for (dependency const& d : node_of(p, handle).after) {
      all.push_back(handle_of(d.before));
      edges.push_back(d.data);
    }
    give_edges(edges, data, out != nullptr, *count);
    give(all, out, count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle,
                                                        cudaGraphNode_t* out,
                                                        cudaGraphEdgeData* data,
                                                        std::size_t* count) {
  return api([&](process& p) {
    require(count != nullptr, cudaErrorInvalidValue);
    graph_node const& node = node_of(p, handle);
    std::vector<cudaGraphNode_t> all;
    std::vector<cudaGraphEdgeData> edges;
    for (auto const& n : node.owner->nodes)
      for (dependency const& d : n->after)
        if (d.before == &node) {
          all.push_back(handle_of(n.get()));
          edges.push_back(d.data);
        }
    give_edges(edges, data, out != nullptr, *count);
    give(all, out, count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphAddDependencies(cudaGraph_t handle,
                                                  cudaGraphNode_t const* befores,
                                                  cudaGraphNode_t const* to,
                                                  cudaGraphEdgeData const* data,
                                                  std::size_t count) {
  return api([&](process& p) {
    graph const& g = graph_of(p, handle);
    require(count == 0 || (befores != nullptr && to != nullptr), cudaErrorInvalidValue);
    for (std::size_t k = 0; k < count; ++k) {
      graph_node& before = node_of(p, befores[k]);
      graph_node& after = node_of(p, to[k]);
      require(before.owner == &g && after.owner == &g && &before != &after, cudaErrorInvalidValue);
      bool const there = std::any_of(after.after.begin(), after.after.end(),
                                     [&](dependency const& d) { return d.before == &before; });
      require(!there, cudaErrorInvalidValue);
      after.after.push_back({&before, data == nullptr ? cudaGraphEdgeData{} : data[k]});
    }
  });
}

MMM_CUDA_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle,
                                                     cudaGraphNode_t const* befores,
                                                     cudaGraphNode_t const* to,
                                                     cudaGraphEdgeData const* /*data*/,
                                                     std::size_t count) {
  return api([&](process& p) {
    graph const& g = graph_of(p, handle);
    require(count == 0 || (befores != nullptr && to != nullptr), cudaErrorInvalidValue);
    for (std::size_t k = 0; k < count; ++k) {
      graph_node const& before = node_of(p, befores[k]);
      graph_node& after = node_of(p, to[k]);
      auto const removed =
          std::erase_if(after.after, [&](dependency const& d) { return d.before == &before; });
      require(after.owner == &g && removed == 1, cudaErrorInvalidValue);
    }
  });
}

MMM_CUDA_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return api([&](process& p) {
    graph_node& n = node_of(p, handle);
    bool const of_memory =
        std::holds_alternative<allocate_work>(n.task) || std::holds_alternative<free_work>(n.task);
    require(!of_memory, cudaErrorNotSupported);
    graph& g = *n.owner;
    withdraw(p, n);
    for (auto const& other : g.nodes)
      std::erase_if(other->after, [&](dependency const& d) { return d.before == &n; });
    std::erase_if(g.nodes, [&](auto const& owned) { return owned.get() == &n; });
  });
}

}  // namespace device::runtime
