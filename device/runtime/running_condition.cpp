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

}  // namespace

running_condition::running_condition(process& p, condition_work const& c)
    : process_(p), device_(p.current().number) {
  levels_.push_back({&c});
}

void running_condition::begin(graph_node const& n) {
  if (!n.enabled) return;
  if (auto const* const k = std::get_if<kernel_work>(&n.task)) {
    device_ = k->device;
    if (process_.of_device(device_).fault == abi::cudaSuccess)
      kernel_ = std::make_unique<running_kernel>(process_, *k);
  } else if (auto const* const child = std::get_if<child_work>(&n.task)) {
    levels_.push_back({nullptr, 0, last_first(*child->embedded)});
  } else if (auto const* const c = std::get_if<condition_work>(&n.task)) {
    levels_.push_back({c});
  } else {
    perform(process_, n.task);
  }
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
