// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

//! Loops in the paths of a traced kernel's threads.
namespace mmm::gpu::detail {

//! The nested loops of a graph. Each loop has a head, which each of its rounds passes; its inner
//! loops are the cycles that remain without the head.
class loop_nest {
 public:
  using node = std::uint32_t;
  static constexpr node none = ~node{0};

  void clear(std::size_t nodes) {
    next_.resize(nodes);
    for (auto& n : next_) n.clear();
    entered_.assign(nodes, false);
    left_.assign(nodes, false);
    loop_of_.assign(nodes, none);
    component_.assign(nodes, none);
    components_ = 0;
    loops_.clear();
  }
  //! Notes that paths begin at a node, or end there.
  void enter(node n) { entered_[n] = true; }
  void leave(node n) { left_[n] = true; }
  void add(node source, node target) {
    auto& next = next_[source];
    if (std::find(next.begin(), next.end(), target) == next.end()) next.push_back(target);
  }
  //! Finds the loops; `head_of(cycle)` chooses the head of each.
  template <class HeadOf>
  void find(HeadOf const& head_of) {
    std::vector<node> all(next_.size());
    for (node n = 0; n < all.size(); ++n) all[n] = n;
    find_among(all, none, head_of);
  }
  //! A strongly connected component: its nodes, and those among them where paths enter or leave it.
  struct cycle {
    std::vector<node> nodes, entries, exits;
  };
  //! The number of nodes that are still on cycles when one node is removed.
  [[nodiscard]] std::size_t on_cycles_without(node left_out, std::vector<node> nodes) const {
    std::erase(nodes, left_out);
    std::size_t count = 0;
    for (auto const& c : cycles_of(nodes)) count += c.size();
    return count;
  }

  [[nodiscard]] node innermost(node n) const { return loop_of_[n]; }
  [[nodiscard]] node parent(node loop) const { return loops_[loop].parent; }
  [[nodiscard]] node head(node loop) const { return loops_[loop].head; }
  [[nodiscard]] bool contains(node outer, node inner) const {
    while (inner != none && inner != outer) inner = loops_[inner].parent;
    return inner == outer;
  }

 private:
  struct found_loop {
    node parent;
    node head;
  };
  //! Tarjan's algorithm for strongly connected components.
  struct search {
    loop_nest const& graph;
    std::vector<bool> within;
    std::vector<std::uint32_t> number, low;
    std::vector<node> stack;
    std::vector<bool> on_stack;
    std::vector<std::vector<node>> found;
    std::uint32_t next_number = 0;

    void visit(node n) {
      number[n] = low[n] = ++next_number;
      stack.push_back(n);
      on_stack[n] = true;
      bool own_cycle = false;
      for (node const m : graph.next_[n]) {
        if (!within[m]) continue;
        own_cycle |= m == n;
        if (number[m] == 0) {
          visit(m);
          low[n] = std::min(low[n], low[m]);
        } else if (on_stack[m]) {
          low[n] = std::min(low[n], number[m]);
        }
      }
      if (low[n] != number[n]) return;
      std::vector<node> component;
      do {
        component.push_back(stack.back());
        on_stack[stack.back()] = false;
        stack.pop_back();
      } while (component.back() != n);
      if (component.size() > 1 || own_cycle) found.push_back(std::move(component));
    }
  };
  //! The strongly connected components of some nodes, except single nodes without an edge to
  //! themselves.
  [[nodiscard]] std::vector<std::vector<node>> cycles_of(std::vector<node> const& among) const {
    std::size_t const n = next_.size();
    search s{*this,
             std::vector<bool>(n),
             std::vector<std::uint32_t>(n),
             std::vector<std::uint32_t>(n),
             {},
             std::vector<bool>(n),
             {}};
    for (node const m : among) s.within[m] = true;
    for (node const m : among)
      if (s.number[m] == 0) s.visit(m);
    return std::move(s.found);
  }
  template <class HeadOf>
  void find_among(std::vector<node> const& among, node outer, HeadOf const& head_of) {
    for (std::vector<node>& nodes : cycles_of(among)) {
      node const component = components_++;
      for (node const n : nodes) component_[n] = component;
      node const head = head_of(with_borders(nodes));
      auto const loop = static_cast<node>(loops_.size());
      loops_.push_back({outer, head});
      for (node const n : nodes) loop_of_[n] = loop;
      component_[head] = none;
      std::erase(nodes, head);
      find_among(nodes, loop, head_of);
    }
  }
  [[nodiscard]] cycle with_borders(std::vector<node> const& nodes) const {
    node const component = component_[nodes[0]];
    std::vector<bool> in(next_.size()), out(next_.size());
    for (node const n : nodes) {
      in[n] = entered_[n];
      out[n] = left_[n];
    }
    for (node source = 0; source < next_.size(); ++source)
      for (node const target : next_[source])
        if ((component_[source] == component) != (component_[target] == component))
          in[target] = out[source] = true;
    cycle result{nodes, {}, {}};
    for (node const n : nodes) {
      if (in[n]) result.entries.push_back(n);
      if (out[n]) result.exits.push_back(n);
    }
    return result;
  }

  std::vector<std::vector<node>> next_;
  std::vector<bool> entered_, left_;
  std::vector<node> loop_of_;
  std::vector<node> component_;
  node components_ = 0;
  std::vector<found_loop> loops_;
};

}  // namespace mmm::gpu::detail
