// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/array_bounds.hpp>
#include <device/check/race_check.hpp>
#include <device/check/uninitialized_check.hpp>
#include <device/execute/observer.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace device::check {

//! Watches the accesses of a launch, and of its family, for the checks that are on. Uses
//! block::observed.
class memory_checker final : public observer {
 public:
  //! \param uninitialized null if that check is off; shared by the checkers of launches that run at
  //! the same time. \param begin,end the addresses of the global memory, [begin, end).
  memory_checker(uninitialized_check* uninitialized, bool bounds, bool race, std::uint64_t begin,
                 std::uint64_t end);

  void begin(launch const&) override;
  void begin(block&) override;
  void end(block&) override;
  void end(launch const&) override;
  void access(memory_access const&) override;
  void executes(warp&, operation const&, lane_mask active, bool together) override;
  void warp_sync(warp&, lane_mask members, bool memory) override;
  void barrier_arrive(warp&, operation const&, int barrier, lane_mask) override;
  void barrier_complete(block&, int barrier) override;
  void commit(warp&, asynchronous, lane_mask) override;
  void wait(warp&, asynchronous, lane_mask, std::uint64_t pending) override;
  void proxy_fence(warp&) override;
  void cluster_arrive(warp&, lane_mask, bool releases) override;
  void cluster_wait(warp&, lane_mask) override;
  void fence(warp&, operation const&, strength, scope) override;
  void launches(warp&, int lane, std::uint64_t number) override;

  [[nodiscard]] race_check* race() { return race_ ? &*race_ : nullptr; }

 private:
  struct checked_block {
    raced_block race;
    written_bits written;
  };

  uninitialized_check* uninitialized_;
  bool bounds_;
  std::optional<race_check> race_;
  std::vector<std::unique_ptr<checked_block>> blocks_;
  std::vector<checked_block*> unused_;
  std::vector<lane_mask> alive_;

  static void forget_tiles(memory_access const&);
  //! The state of the cluster's barrier, kept with the first of its blocks.
  [[nodiscard]] static raced_block& cluster_of(warp const& w) {
    block const& b = *w.of_block;
    return checked(b.of_cluster == nullptr ? b : *b.of_cluster->blocks[0]).race;
  }
  [[nodiscard]] static checked_block& checked(block const& b) {
    return *static_cast<checked_block*>(b.observed);
  }
};

}  // namespace device::check
