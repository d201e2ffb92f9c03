// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "running_kernel.hpp"

#include <utility>

namespace device::runtime {

running_kernel::running_kernel(process& p, kernel_work k)
    : process_(p), random_(p.set.seed.value_or(0) + p.launches) {
  begin(std::move(k), std::nullopt, {});
  family_ = levels_.front().grid->launched().number;
}

running_kernel::~running_kernel() {
  levels_.clear();
  for (auto const& i : process_.watching) i->completed(family_);
}

void running_kernel::begin(kernel_work k, std::optional<launch_origin> by,
                           std::vector<std::uint64_t> numbers) {
  auto nested = std::make_unique<nested_launches>(process_, k, numbers_);
  auto grid =
      std::make_unique<running_grid>(process_, std::move(k), std::move(by), blocks_, *nested);
  blocks_ += grid->launched().grid.count();
  levels_.push_back({std::move(nested), std::move(grid), std::move(numbers)});
}

//! Begins work that the innermost grid has asked for.
void running_kernel::begin(nested_work w) {
  has_moved_ = true;
  level& by = levels_.back();
  std::vector<std::uint64_t> numbers{w.origin.number};
  auto* const k = std::get_if<kernel_work>(&w.job);
  if (k == nullptr) {
    perform(process_, w.job);
    by.nested->complete(numbers);
    return;
  }
  w.origin.family = family_;
  // A grid that has nothing else to do is complete when its last launch is, so that a chain of tail
  // launches needs no more memory than one of them.
  if (by.grid == nullptr && by.nested->empty() && levels_.size() > 1) {
    numbers = std::move(by.numbers);
    levels_.pop_back();
  }
  begin(std::move(*k), std::move(w.origin), std::move(numbers));
}

void running_kernel::end_level() {
  std::vector<std::uint64_t> const numbers = std::move(levels_.back().numbers);
  levels_.pop_back();
  if (!levels_.empty()) levels_.back().nested->complete(numbers);
}

//! Nothing goes on after a fault.
bool running_kernel::finish() {
  while (levels_.size() > 1) levels_.pop_back();
  levels_.clear();
  return true;
}

bool running_kernel::advance() {
  has_moved_ = false;
  while (!levels_.empty()) {
    level& top = levels_.back();
    bool const runs = top.grid != nullptr;
    if (runs && top.grid->advance()) {
      if (top.grid->has_failed()) return finish();
      has_moved_ = true;
      top.grid.reset();
    } else if (auto next = top.nested->next(process_.set.seed ? &random_ : nullptr)) {
      begin(std::move(*next));
    } else if (runs) {
      return false;
    } else if (auto tail = top.nested->next_tail()) {
      begin(std::move(*tail));
    } else {
      end_level();
    }
  }
  return true;
}

bool running_kernel::made_progress() const {
  return has_moved_ || (!levels_.empty() && levels_.back().grid->made_progress());
}

void running_kernel::give_up() {
  levels_.back().grid->give_up();
  (void)finish();
}

}  // namespace device::runtime
