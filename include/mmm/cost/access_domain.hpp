// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/round_group.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_key.hpp>
#include <mmm/machine/machine.hpp>

//! The warps that make an access of a parallel-for, as boxes.
namespace mmm::detail {

//! The items, threads and loops of the parallel-for that makes an access, on one memory or on an
//! HMM's DMMs.
struct access_domain {
  index items = 0;
  index threads = 1;  //!< of one DMM
  index dmms = 1;     //!< DMMs that run it
  //! the items are assigned to the threads of all DMMs together, not to those of each DMM
  bool machine_wide = false;
  bool side_by_side = false;  //!< every DMM uses a memory of its own
  int loops = 0;
  index trips[slot_count] = {};
};

//! The number of times that a larger domain makes a smaller domain's accesses.
struct repetition {
  index rounds = 1;  //!< trips of loops that change nothing
  index dmms = 1;    //!< DMMs that do the same side by side
  constexpr void apply_to(access_cost& c) const {
    c.rounds = checked_multiply(c.rounds, rounds);
    c.stages = checked_multiply(checked_multiply(c.stages, rounds), dmms);
    c.time = checked_multiply(c.time, rounds);
  }
};

//! Reduces a domain to one trip of each loop, and one of the DMMs that work side by side, where an
//! access does not depend on them: `used` are the variables of its address and its predicate.
[[nodiscard]] constexpr repetition reduce(access_domain& domain, variable_set used) {
  repetition times;
  for (int k = 0; k < domain.loops; ++k) {
    if (used.has(first_loop_slot + k)) continue;
    times.rounds = checked_multiply(times.rounds, domain.trips[k]);
    domain.trips[k] = 1;
  }
  if (domain.side_by_side && !domain.machine_wide && !used.has(dmm_slot)) {
    times.dmms = domain.dmms;
    domain.dmms = 1;
  }
  return times;
}

//! The numbers of the dimensions that every box starts with, after those of the loops.
struct box_layout {
  int chunk;
  int dmm;
  int warp;
};

template <class Width>
[[nodiscard]] constexpr warp_box<Width::max_lanes> make_box(
    Width const& width, access_domain const& domain, index first_item, index chunks,
    index first_dmm, index dmms, index first_warp, index warps, int lanes) {
  index const w = width.width();
  warp_box<Width::max_lanes> box;
  box.lanes = lanes;
  box.loops = domain.loops;
  for (int k = 0; k < domain.loops; ++k) {
    int const dimension = box.add_dimension(domain.trips[k], true);
    box.slot[first_loop_slot + k].coefficient[dimension] = 1;
  }
  box_layout const layout{box.add_dimension(chunks, true), box.add_dimension(dmms, false),
                          box.add_dimension(warps, false)};
  index const in_chunk =
      domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  linear_form& item = box.slot[item_slot];
  item.origin =
      first_item + (domain.machine_wide ? first_dmm * domain.threads : 0) + first_warp * w;
  item.stride = 1;
  item.coefficient[layout.chunk] = in_chunk;
  item.coefficient[layout.dmm] = domain.machine_wide ? domain.threads : 0;
  item.coefficient[layout.warp] = w;
  linear_form& dmm = box.slot[dmm_slot];
  dmm.origin = first_dmm;
  dmm.coefficient[layout.dmm] = 1;
  return box;
}

//! Adds the warps of `count` items that each of some DMMs handles in a chunk: whole warps, and a
//! partial one.
template <class Width>
constexpr void add_warps(Width const& width, round_group<Width::max_lanes>& group,
                         access_domain const& domain, index first_item, index chunks,
                         index first_dmm, index dmms, index count) {
  index const w = width.width();
  if (dmms == 0) return;
  if (count >= w)
    group.box[group.boxes++] = make_box(width, domain, first_item, chunks, first_dmm, dmms, 0,
                                        count / w, static_cast<int>(w));
  if (count % w != 0)
    group.box[group.boxes++] = make_box(width, domain, first_item, chunks, first_dmm, dmms,
                                        count / w, 1, static_cast<int>(count % w));
}

//! The rounds of an access: `which` = 0 the full chunks, 1 the last, partial one.
template <class Width>
[[nodiscard]] constexpr round_group<Width::max_lanes> make_group(Width const& width,
                                                                 access_domain const& domain,
                                                                 int which) {
  round_group<Width::max_lanes> group;
  for (int k = 0; k < domain.loops; ++k)
    if (domain.trips[k] == 0) return group;
  group.dmm_dimension = domain.side_by_side && domain.dmms > 1 ? domain.loops + 1 : -1;
  index const in_chunk =
      domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  index const chunks = domain.items / in_chunk;
  index const rest = domain.items % in_chunk;
  if (which == 0) {
    if (chunks > 0) add_warps(width, group, domain, 0, chunks, 0, domain.dmms, domain.threads);
  } else if (rest > 0) {
    index const first = domain.items - rest;
    if (domain.machine_wide) {
      add_warps(width, group, domain, first, 1, 0, rest / domain.threads, domain.threads);
      add_warps(width, group, domain, first, 1, rest / domain.threads, rest % domain.threads > 0,
                rest % domain.threads);
    } else {
      add_warps(width, group, domain, first, 1, 0, domain.dmms, rest);
    }
  }
  return group;
}

}  // namespace mmm::detail
