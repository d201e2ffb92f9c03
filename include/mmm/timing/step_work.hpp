// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/kernel_code.hpp>
#include <mmm/timing/occupancy.hpp>
#include <mmm/timing/scattered_sectors.hpp>

//! The work of one step, a parallel-for: which warps execute its body how often, and what the body
//! requests of the memories.
namespace mmm::detail {

//! A step's bodies. A warp executes the body once for every 32 items that it has.
struct step_bodies {
  watched_step step{};
  warp_groups launched{};

  [[nodiscard]] constexpr index lanes() const {
    return step.machine_wide ? step.threads * step.dmms : step.threads;
  }
  //! The most bodies that one warp executes, in one trip.
  [[nodiscard]] constexpr index per_warp() const { return ceil_divide(step.items, lanes()); }
  //! Groups of warps that have items.
  [[nodiscard]] constexpr index groups() const {
    if (!step.machine_wide) return step.dmms;
    return larger(index{1}, smaller(launched.count, ceil_divide(step.items, 32 * launched.warps)));
  }
  //! Bodies of all DMMs, in all trips.
  [[nodiscard]] constexpr index total() const {
    index const full = step.items / lanes();
    index const bodies = full * ceil_divide(lanes(), 32) + ceil_divide(step.items % lanes(), 32);
    return step.times * bodies * (step.machine_wide ? 1 : step.dmms);
  }
  //! Bodies of one group, in one trip.
  [[nodiscard]] constexpr index per_group() const {
    index const rest = ceil_divide(step.items % lanes(), 32);
    return step.items / lanes() * launched.warps + smaller(rest, launched.warps);
  }
  //! The warps of a group that have items.
  [[nodiscard]] constexpr index busy_warps() const {
    return smaller(launched.warps, larger(index{1}, ceil_divide(step.items, 32)));
  }
};

//! The requests of a step's body, and the traffic of all bodies.
struct step_requests {
  double global_requests = 0;  //!< of one body
  double shared_requests = 0;  //!< of one body
  double request_words = 0;    //!< of one body: the words of a thread, summed over its requests
  double shared_stages = 0;    //!< of all bodies
  double conflicts = 0;        //!< stages of all bodies beyond one for each word of a thread
  double global_bytes = 0;     //!< of all bodies: sectors that are moved
  double read_bytes = 0;       //!< those of loads
  double scattered = 0;        //!< sectors of all bodies' scattered requests
  double partial_sectors = 0;  //!< of all bodies' other requests that store
  bool loads_global = false;
  bool loads_shared = false;
  bool stores_global = false;

  constexpr void add(watched_access const& a, index value_bytes, index bodies) {
    (a.shared ? loads_shared : loads_global) |= a.kind != access_kind::write;
    ++(a.shared ? shared_requests : global_requests);
    request_words += as_double(a.words);
    if (a.shared) {
      shared_stages += as_double(a.stages) * larger_of(1, as_double(value_bytes) / 4);
      conflicts += larger_of(0, as_double(a.stages) - as_double(bodies) * as_double(a.words));
      return;
    }
    stores_global = stores_global || a.kind != access_kind::read;
    // A stage is a group of 32 words, of which sectors of 32 bytes are moved.
    double const groups = as_double(a.stages);
    double const requested = as_double(bodies) * as_double(32 * a.words * value_bytes);
    double const moved =
        smaller_of(larger_of(groups * 32, requested), groups * as_double(32 * value_bytes));
    global_bytes += moved;
    scattered += scattered_sectors(groups, requested);
    partial_sectors += as_double(a.partial_sectors);
    if (a.kind != access_kind::write) read_bytes += moved;
  }
  //! Instructions of a warp for one body.
  [[nodiscard]] constexpr double instructions(kernel_code const& code) const {
    return code.per_item + global_requests * code.per_global + shared_requests * code.per_shared +
           request_words * code.per_word;
  }
};

}  // namespace mmm::detail
