// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/timing/clocks.hpp>

//! A branch: the consecutive steps of one set of DMMs between two barriers of the grid, while other
//! DMMs may work on a branch of their own.
namespace mmm::detail {

//! A step of a branch.
struct branch_step {
  resource_clocks spent{};  //!< of one block that has a multiprocessor for itself
  double trips = 1;
  index bodies = 1;         //!< of a warp, in one trip
  index blocks_per_sm = 1;  //!< that the step has, resident or not
  index resident = 1;       //!< of these, those side by side
  bool barrier = false;     //!< of the block, after the step
};

//! The clocks of a branch. Its steps form phases, each of which ends in a barrier of the block.
class dmm_branch {
 public:
  constexpr void add(branch_step const& step, index warps) {
    phase_ += step.spent;
    phase_bodies_ += step.trips * as_double(step.bodies);
    resource_clocks const of_sm = step.spent.of_blocks(
        as_double(step.resident), as_double(ceil_divide(step.blocks_per_sm, step.resident)));
    spent_ += of_sm;
    phase_stall_of_sm_ += of_sm.memory_stall;
    resident_ = larger(resident_, step.resident);
    blocks_per_sm_ = larger(blocks_per_sm_, step.blocks_per_sm);
    if (!step.barrier) return;
    phases_ += step.trips;
    end_phase(warps);
  }
  //! Adds what each block executes once.
  constexpr void add_once(resource_clocks const& clocks) {
    phase_ += clocks;
    spent_ += clocks.of_blocks(1, waves());
  }
  //! Adds clocks in which all warps wait for the memory.
  constexpr void stall(double clocks) {
    phase_.memory_stall += clocks;
    spent_.memory_stall += clocks;
  }
  //! States that the phase's loads of the global memory are asynchronous copies, and that `latest`
  //! later groups of them are in flight when the phase ends: so many more share a latency.
  constexpr void await_copies(index latest) {
    copies_in_flight_ = latest + 1;
    double const hidden = 1 - 1 / as_double(copies_in_flight_);
    phase_.memory_stall -= hidden * phase_.memory_stall;
    spent_.memory_stall -= hidden * phase_stall_of_sm_;
  }
  //! States that tiles wait for each other: their throughput and latency do not overlap.
  constexpr void set_in_step() { in_step_ = true; }
  [[nodiscard]] constexpr bool in_step() const { return in_step_; }

  //! The clocks of a multiprocessor by resource.
  [[nodiscard]] constexpr resource_clocks const& spent() const { return spent_; }
  //! Ends the last phase and returns the clocks of a multiprocessor. Blocks side by side hide each
  //! other's stalls, and share what the barriers of one block cost.
  [[nodiscard]] constexpr double end(index warps) {
    end_phase(warps);
    double const throughput = spent_.throughput();
    double const latency = spent_.latency();
    double const together = in_step_ ? latency + throughput : overlapped(latency, throughput);
    double const without_barriers = overlapped(block_.latency(), block_.throughput());
    return together + waves() * larger_of(0, block_clocks_ - without_barriers) /
                          as_double(larger(index{1}, resident_));
  }

 private:
  //! The number of times that a multiprocessor is filled with blocks.
  [[nodiscard]] constexpr double waves() const {
    return as_double(ceil_divide(larger(index{1}, blocks_per_sm_), larger(index{1}, resident_)));
  }
  //! Adds the time of a phase. Each of a warp's bodies but the last overlaps with other warps'
  //! work; after the last one, the warp waits for the others at the barrier. A phase that ends in
  //! awaiting copies waits for no load before its work: it overlaps as a whole.
  constexpr void end_phase(index warps) {
    double const bodies = larger_of(1, phase_bodies_ / larger_of(1, phases_));
    double const phases = larger_of(1, phases_);
    double const latency = phase_.latency() / bodies / phases;
    double const throughput = phase_.throughput() / bodies / phases;
    double const others = 1 - 1 / as_double(warps);
    if (copies_in_flight_ > 0)
      block_clocks_ += phase_.barrier_stall +
                       overlapped(phase_.latency() - phase_.barrier_stall, phase_.throughput());
    else
      block_clocks_ +=
          phases * ((bodies - 1) * overlapped(latency, throughput) + latency + throughput * others);
    block_ += phase_;
    phase_ = {};
    phase_bodies_ = phases_ = phase_stall_of_sm_ = 0;
    copies_in_flight_ = 0;
  }

  resource_clocks phase_{};  //!< of a block, since the last barrier of it
  double phase_bodies_ = 0;  //!< of a warp, since that barrier
  double phases_ = 0;        //!< that the current clocks are of: the trips of a step with a barrier
  double phase_stall_of_sm_ = 0;  //!< waits for the global memory, of all waves of blocks
  index copies_in_flight_ =
      0;                     //!< groups of them as the phase ends, the awaited one included; or 0
  resource_clocks block_{};  //!< of a block, in earlier phases
  double block_clocks_ = 0;  //!< of a block that has a multiprocessor for itself
  resource_clocks spent_{};  //!< of a multiprocessor
  index resident_ = 0;       //!< blocks of a multiprocessor, side by side
  index blocks_per_sm_ = 0;  //!< in all waves
  bool in_step_ = false;
};

}  // namespace mmm::detail
