// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! Enumeration of warps, lane by lane: always right, in time proportional to the number of
//! accesses.
namespace mmm::detail {

//! Calls `visit` for all points of the dimensions `wanted(d)` of a box, one after the other.
template <int W, class Wanted, class Visit>
constexpr void for_each_point(warp_box<W> const& box, Wanted wanted, index (&point)[max_dimensions],
                              Visit visit) {
  for (int d = 0; d < box.dimensions; ++d)
    if (wanted(d)) point[d] = 0;
  while (true) {
    visit();
    int d = 0;
    for (; d < box.dimensions; ++d) {
      if (!wanted(d)) continue;
      if (++point[d] < box.extent[d]) break;
      point[d] = 0;
    }
    if (d == box.dimensions) return;
  }
}

//! Stages (on a memory without conflicts: accesses) of one warp at a point of a box, lane by lane.
template <conflict Conflict, class Width, class Address, class Predicate>
[[nodiscard]] constexpr index enumerated_stages(Width const& width,
                                                warp_box<Width::max_lanes> const& box,
                                                index const (&point)[max_dimensions],
                                                Address const& address,
                                                Predicate const& predicate) {
  assignment warp;
  for (int s = 0; s < first_loop_slot + box.loops; ++s) {
    warp.slot[s] = box.slot[s].origin;
    for (int d = 0; d < box.dimensions; ++d)
      if (box.slot[s].coefficient[d] != 0) warp.slot[s] += box.slot[s].coefficient[d] * point[d];
  }
  index const first_item = warp.slot[item_slot];
  index address_of[Width::max_lanes] = {};
  bool active[Width::max_lanes] = {};
  index accesses = 0;
  for (int t = 0; t < box.lanes; ++t) {
    warp.slot[item_slot] = first_item + box.slot[item_slot].stride * t;
    active[t] = predicate.template holds<checked_arithmetic>(warp);
    if (!active[t]) continue;
    ++accesses;
    address_of[t] = address.template value<checked_arithmetic>(warp);
  }
  if constexpr (is(Conflict, conflict::none) || is(Conflict, conflict::amount)) {
    return accesses;
  } else {
    return count_stages<Conflict>(
        width, box.lanes, [&](int t) { return address_of[t]; }, [&](int t) { return active[t]; });
  }
}

}  // namespace mmm::detail
