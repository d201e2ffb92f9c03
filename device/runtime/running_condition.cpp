// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "running_kernel.hpp"
#include "tables.hpp"

#include <algorithm>

namespace device::runtime {

namespace {

std::vector<graph_node*> last_first(graph const& g) {
  std::vector<graph_node*> nodes = in_order(g);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

kernel_work in_graph(kernel_work k, std::shared_ptr<executable_graph> g) {
  k.of_graph = std::move(g);
  return k;
}

}  // namespace

running_condition::running_condition(process& p, condition_work const& c)
    : process_(p), device_(p.current().number) {
  levels_.push_back({c.of_graph, &c});
}

running_condition::running_condition(process& p, launched_work const& l)
    : process_(p), device_(p.current().number) {
  levels_.push_back({l.by, nullptr, true});
}

void running_condition::begin(graph_node const& n) {
  if (!n.enabled) return;
  std::shared_ptr<executable_graph> const of_graph = levels_.back().of_graph;
  if (auto const* const k = std::get_if<kernel_work>(&n.task)) {
    device_ = k->device;
    if (process_.of_device(device_).fault == abi::cudaSuccess)
      kernel_ = std::make_unique<running_kernel>(process_, in_graph(*k, of_graph));
  } else if (auto const* const child = std::get_if<child_work>(&n.task)) {
    levels_.push_back({of_graph, nullptr, false, 0, last_first(*child->embedded)});
  } else if (auto const* const c = std::get_if<condition_work>(&n.task)) {
    levels_.push_back({of_graph, c});
  } else {
    perform(process_, n.task);
  }
}

//! Begins the next graph that a kernel of the graph on top has launched: first fire-and-forget
//! launches, then tail launches. False if there is none.
bool running_condition::begin_launched() {
  level& top = levels_.back();
  executable_graph& by = *top.of_graph;
  by.is_running = false;
  auto& queue = by.fire_and_forget.empty() ? by.tails : by.fire_and_forget;
  if (queue.empty()) return false;
  std::shared_ptr<executable_graph> const next = queue.front().lock();
  queue.pop_front();
  if (next == nullptr) return true;  // it has been destroyed
  next->is_queued = false;
  next->is_running = true;
  level begun{next, nullptr, true, 0, last_first(*next->code)};
  // A chain of tail launches needs no more memory than one of them.
  if (by.fire_and_forget.empty() && by.tails.empty()) levels_.pop_back();
  levels_.push_back(std::move(begun));
  return true;
}

bool running_condition::advance() {
  while (!levels_.empty()) {
    if (process_.of_device(device_).fault != abi::cudaSuccess) return true;
    if (kernel_ != nullptr) {
      if (!kernel_->advance()) return false;
      kernel_.reset();
      continue;
    }
    level& top = levels_.back();
    if (!top.left.empty()) {
      graph_node const& n = *top.left.back();
      top.left.pop_back();
      begin(n);
    } else if (top.is_whole) {
      if (!begin_launched()) levels_.pop_back();
    } else if (graph const* const body = top.condition == nullptr
                                             ? nullptr
                                             : next_body(process_, *top.condition, top.executed)) {
      ++top.executed;
      top.left = last_first(*body);
    } else {
      levels_.pop_back();
    }
  }
  return true;
}

void running_condition::give_up() {
  kernel_->give_up();
  kernel_.reset();
  levels_.clear();
}

}  // namespace device::runtime
