// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/clocks.hpp>

//! Barriers of the grid: how many a kernel has, and their time.
namespace mmm::detail {

//! Clocks in which `blocks` blocks arrive at one counter, one after the other.
[[nodiscard]] constexpr double arrival_clocks(gpu::timing_facts const& timing, index blocks) {
  return as_double(blocks) * timing.arrival_clocks;
}

//! Counts barriers. The latest one is pending until a step follows it: the kernel's end or a
//! cheaper synchronization may still take its place.
class grid_barrier_counter {
 public:
  [[nodiscard]] constexpr index count() const { return count_; }
  [[nodiscard]] constexpr bool pending() const { return pending_; }
  constexpr void add(index times) {
    count_ += times;
    pending_ = true;
  }
  //! A step follows the latest barrier, which therefore stays.
  constexpr void settle() { pending_ = false; }
  //! Removes the pending barrier.
  constexpr void remove_pending() {
    --count_;
    pending_ = false;
  }
  [[nodiscard]] constexpr double microseconds(gpu::timing_facts const& timing, index blocks,
                                              index clock_mhz) const {
    return as_double(count_) *
           (timing.grid_barrier_us + arrival_clocks(timing, blocks) / as_double(clock_mhz));
  }

 private:
  index count_ = 0;
  bool pending_ = false;
};

}  // namespace mmm::detail
