// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/memory_checker.hpp>
#include <device/execute/sync/barriers.hpp>

namespace device::check {

memory_checker::memory_checker(uninitialized_check* uninitialized, bool bounds, bool race,
                               std::uint64_t begin, std::uint64_t end)
    : uninitialized_(uninitialized), bounds_(bounds) {
  if (race) race_.emplace(begin, end);
}

void memory_checker::begin(launch const& l) {
  // A fault may have ended the launch before with blocks that never did.
  if (!l.by) {
    unused_.clear();
    for (auto const& b : blocks_) unused_.push_back(b.get());
  }
  if (uninitialized_ != nullptr) uninitialized_->begin(l);
  if (race_) race_->begin(l);
}

void memory_checker::end(launch const& l) {
  constexpr std::size_t max_unused = 64;
  if (l.by || blocks_.size() <= max_unused) return;
  unused_.clear();
  blocks_.clear();
}

void memory_checker::begin(block& b) {
  if (unused_.empty()) {
    blocks_.push_back(std::make_unique<checked_block>());
    unused_.push_back(blocks_.back().get());
  }
  checked_block& c = *unused_.back();
  unused_.pop_back();
  b.observed = &c;
  if (uninitialized_ != nullptr) uninitialized_->begin(b, c.written);
  if (race_) race_->begin(b, c.race);
}

void memory_checker::end(block& b) {
  unused_.push_back(&checked(b));
  b.observed = nullptr;
}

void memory_checker::access(memory_access const& a) {
  if (a.active == 0) return;
  checked_block& c = checked(*a.of_block);
  forget_tiles(a);
  if (bounds_ && a.where == space::shared) check_array_bounds(a);
  checked_block& owner = a.owner == nullptr ? c : checked(*a.owner);
  if (uninitialized_ != nullptr) uninitialized_->access(a, c.written, owner.written);
  if (race_ && (a.where == space::global || a.where == space::shared))
    race_->access(a, c.race, owner.race);
}

void memory_checker::executes(warp& w, operation const& op, lane_mask active, bool together) {
  if (uninitialized_ != nullptr)
    uninitialized_->executes(w, op, active, together, checked(*w.of_block).written);
}

void memory_checker::commit(warp& w, asynchronous by, lane_mask committing) {
  if (race_) race_->commit(w, by, committing, checked(*w.of_block).race);
}
void memory_checker::wait(warp& w, asynchronous by, lane_mask waiting, std::uint64_t pending) {
  if (race_) race_->wait(w, by, waiting, pending, checked(*w.of_block).race);
}
void memory_checker::proxy_fence(warp& w) {
  if (race_)
    race_->ordering().proxy_fence(checked(*w.of_block).race.order, w.number, w.active, w.alive);
}

//! Bytes that threads store are no part of a tensor copy's tile any more.
void memory_checker::forget_tiles(memory_access const& a) {
  block& owner = a.owner == nullptr ? *a.of_block : *a.owner;
  if (owner.tiles.empty() || a.where != space::shared || a.kind == access_kind::read) return;
  for (lane_mask left = a.active; left != 0; left &= left - 1) {
    std::uint64_t const first = a.address[std::countr_zero(left)];
    for (std::uint64_t k = first / 16; k <= (first + static_cast<std::uint64_t>(a.bytes) - 1) / 16;
         ++k)
      if (k < owner.tiles.size()) owner.tiles[k].copy = 0;
  }
}

void memory_checker::cluster_arrive(warp& w, lane_mask arriving, bool releases) {
  if (race_)
    race_->arrive_at_cluster(w, arriving, checked(*w.of_block).race, cluster_of(w), releases);
}
void memory_checker::cluster_wait(warp& w, lane_mask waiting) {
  if (race_) race_->wait_for_cluster(w, waiting, checked(*w.of_block).race, cluster_of(w));
}

void memory_checker::warp_sync(warp& w, lane_mask members, bool memory) {
  if (race_ && memory)
    race_->ordering().warp_sync(checked(*w.of_block).race.order, w.number, members, w.alive);
}

void memory_checker::barrier_arrive(warp& w, operation const& op, int barrier, lane_mask arriving) {
  if (race_)
    race_->ordering().arrive(checked(*w.of_block).race.order, barrier, w.number, arriving, w.alive,
                             !only_arrives(op));
}

void memory_checker::barrier_complete(block& b, int barrier) {
  if (!race_) return;
  alive_.clear();
  for (warp const& w : b.warps) alive_.push_back(w.alive);
  race_->ordering().complete(checked(b).race.order, barrier, alive_);
}

void memory_checker::launches(warp& w, int lane, std::uint64_t number) {
  if (race_) race_->launches(w, lane, number, checked(*w.of_block).race);
}

void memory_checker::fence(warp& w, operation const&, strength, scope reach) {
  if (race_)
    race_->ordering().fence(checked(*w.of_block).race.order, w.number, w.active, w.alive, reach);
}

}  // namespace device::check
