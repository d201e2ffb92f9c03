// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counter.hpp"

#include <device/execute/warp.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace device::count {

namespace {

//! Adds `added`, in any order, to `to`, which is in order of operation, memory and kind.
void merge(std::vector<operation_accesses>& to, std::vector<operation_accesses>& added) {
  auto const before = [](operation_accesses const& a, operation_accesses const& b) {
    return std::tie(a.operation, a.where, a.kind) < std::tie(b.operation, b.where, b.kind);
  };
  std::sort(added.begin(), added.end(), before);
  std::size_t const known = to.size();
  std::size_t k = 0;
  for (operation_accesses const& a : added) {
    while (k < known && before(to[k], a)) ++k;
    if (k < known && !before(a, to[k]))
      to[k] += a;
    else
      to.push_back(a);
  }
  std::inplace_merge(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(known), to.end(), before);
}

}  // namespace

counter::table& counter::other_table(program const* code) {
  table*& known = known_[code];
  if (known == nullptr) {
    known = &tables_.emplace_back();
    known->figures.code = code;
    known->first.resize(code->operations.size(), nothing);
  }
  return *(latest_ = known);
}

bool counter::latest_request::costs_the_same(memory_access const& a) const {
  if (a.active != active || a.bytes != bytes) return false;
  auto const first = static_cast<std::size_t>(std::countr_zero(active));
  std::uint64_t const moved = a.address[first] - address[first];
  constexpr std::uint64_t line = mmm::gpu::line_bytes;
  constexpr std::uint64_t word = 4;
  if (a.where == space::global && pattern == lane_pattern::uniform &&
      a.pattern == lane_pattern::uniform && bytes <= mmm::gpu::sector_bytes)
    return true;  // one sector, since it is aligned
  std::uint64_t const unit = a.where == space::global ? line : word;
  if ((moved & (unit - 1)) != 0) return false;  // units are powers of two: no division
  if (pattern == a.pattern && pattern != lane_pattern::any)
    return pattern != lane_pattern::strided || a.address[1] - address[1] == moved;
  std::uint64_t differs = 0;
  if (active == all_lanes) {
    for (std::size_t t = 0; t < lanes; ++t) differs |= a.address[t] - address[t] - moved;
  } else {
    for (lane_mask left = active; left != 0; left &= left - 1) {
      auto const t = static_cast<std::size_t>(std::countr_zero(left));
      differs |= a.address[t] - address[t] - moved;
    }
  }
  return differs == 0;
}

bool counter::latest_request::is_worst(memory_access const& a) const {
  if (badness != worst) return badness > worst;
  std::uint64_t const block = a.of_block->number;
  return block < worst_block || (block == worst_block && a.of_warp->number < worst_warp);
}

void counter::latest_request::add_to(request_figures& sum) {
  sum.requests += times * cost.requests;
  sum.transfers += times * cost.transfers;
  sum.ideal += times * cost.ideal;
  sum.lines += times * cost.lines;
  sum.serialized += times * cost.serialized;
  times = 0;
}

std::uint32_t counter::find(table& own, memory_access const& a) {
  std::uint32_t* to = &own.first[a.op->index];
  while (*to != nothing) {
    latest_request& known = own.latest[*to];
    if (known.where == a.where && known.kind == a.kind) return *to;
    to = &known.next;
  }
  return add(own, a, *to);
}

std::uint32_t counter::add(table& own, memory_access const& a, std::uint32_t& to) {
  auto const made = static_cast<std::uint32_t>(own.latest.size());
  to = made;  // in a list that may move now
  own.figures.accesses.push_back({a.op->index, a.where, a.kind, {}, {}});
  latest_request& latest = own.latest.emplace_back();
  latest.where = a.where;
  latest.kind = a.kind;
  return made;
}

request_figures counter::cost_of(memory_access const& a) const {
  switch (a.where) {
    case space::shared:
      return shared_request(policy_, a.kind, a.bytes, matrices_of(a), a.address, a.active);
    case space::global:
      return global_request(a.kind, a.bytes, a.address, a.active);
    default:
      return local_request(a.bytes, a.address, a.active);
  }
}

void counter::replace(latest_request& latest, operation_accesses& own,
                      memory_access const& a) const {
  latest.add_to(own.sum);
  latest.cost = cost_of(a);
  latest.badness = costed_request::badness(latest.cost);
  std::copy_n(a.address, lanes, latest.address.begin());
  latest.active = a.active;
  latest.bytes = a.bytes;
  latest.pattern = a.pattern;
}

void counter::access(memory_access const& a) {
  if (a.active == 0 || !a.counted) return;
  if (a.where != space::shared && a.where != space::global && a.where != space::local) return;
  table& own = table_of(a.of_warp->current->code);
  std::uint32_t const k = find(own, a);
  latest_request& latest = own.latest[k];
  if (!latest.costs_the_same(a)) replace(latest, own.figures.accesses[k], a);
  ++latest.times;
  if (!latest.is_worst(a)) return;
  latest.worst = latest.badness;
  latest.worst_block = a.of_block->number;
  latest.worst_warp = a.of_warp->number;
  costed_request& worst = own.figures.accesses[k].worst;
  worst.cost = latest.cost;
  std::copy_n(a.address, lanes, worst.address.begin());
  worst.active = a.active;
  worst.bytes = a.bytes;
  worst.matrices = matrices_of(a);
  worst.block = latest.worst_block;
  worst.block_index = a.of_block->index;
  worst.warp = latest.worst_warp;
}

void counter::barrier_arrive(warp& w, operation const& op, int, lane_mask) {
  table& own = table_of(w.current->code);
  if (own.figures.barriers.empty()) own.figures.barriers.resize(own.first.size());
  ++own.figures.barriers[op.index];
}

void counter::move_into(std::vector<program_accesses>& sum) {
  for (table& own : tables_) {
    if (own.figures.accesses.empty() && own.figures.barriers.empty()) continue;
    auto to = std::find_if(sum.begin(), sum.end(),
                           [&](auto const& p) { return p.code == own.figures.code; });
    if (to == sum.end()) to = sum.insert(to, program_accesses{own.figures.code, {}, {}});
    for (std::size_t k = 0; k < own.latest.size(); ++k) {
      own.latest[k].add_to(own.figures.accesses[k].sum);
      own.first[own.figures.accesses[k].operation] = nothing;
    }
    merge(to->accesses, own.figures.accesses);
    own.figures.accesses.clear();
    own.latest.clear();
    if (!own.figures.barriers.empty()) {
      to->barriers.resize(own.figures.barriers.size());
      for (std::size_t k = 0; k < to->barriers.size(); ++k)
        to->barriers[k] += own.figures.barriers[k];
      own.figures.barriers.clear();
    }
  }
}

}  // namespace device::count
