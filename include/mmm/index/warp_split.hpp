// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/evaluation.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/period.hpp>

//! A test for addresses whose lanes are in the same relation to each other in every warp.
namespace mmm {

namespace detail {

//! The differences of the lanes' values from lane 0's, as long as all boxes agree. The first box
//! evaluated sets them.
template <int W>
struct lane_offsets {
  bool known = false;
  index value[W] = {};
  int evaluations = 0;
  static constexpr int max_evaluations = 4096;

  template <class E>
  [[nodiscard]] constexpr bool hold(warp_box<W> const& box, E const& e) {
    if (++evaluations > max_evaluations) return false;
    evaluation<W> now(box);
    normal_form<W> const examined = e.fold(now);
    if (examined.valid) {
      for (int t = 0; t < W; ++t) {
        index const offset = checked_subtract(examined.at(t), examined.at(0));
        if (!known) value[t] = offset;
        if (offset != value[t]) return false;
      }
      known = true;
      return true;
    }
    refinement const needed = now.needed();
    if (needed.kind == refinement::nothing) return false;
    warp_box<W> part = box;
    if (needed.kind == refinement::split && box.dimensions < max_dimensions) {
      part.split(needed.dimension, needed.value);
      return hold(part, e);
    }
    part.restrict_to(needed.dimension, 0, needed.value);
    if (!hold(part, e)) return false;
    part = box;
    part.restrict_to(needed.dimension, needed.value, box.extent[needed.dimension]);
    return hold(part, e);
  }
};

}  // namespace detail

//! True if `e(W * j + t) == base(j) + offset(t)` for every warp `j >= 0` and lane `0 <= t < W`,
//! other variables 0: then all warps have the same bank conflicts.
//!
//! \tparam W lanes of a warp, 1 or more. True is proven over one period of the expression. False is
//! certain, too, unless the expression has no period (mmm::period_of) or needs more than 4096
//! evaluations. Overflow: as mmm::cost_of.
template <int W, expression E>
[[nodiscard]] constexpr bool splits_over_warps(E const& e) {
  static_assert(W >= 1, "mmm: a warp has 1 lane or more");
  motion const moves = period_of(e);
  index const warps = moves.periodic ? moves.period / detail::gcd(moves.period, W) : 0;
  if (!moves.periodic || !detail::product_within_reach(warps, W)) return false;
  detail::warp_box<W> box;
  int const warp = box.add_dimension(warps, false);
  detail::linear_form& items = box.slot[detail::item_slot];
  items.stride = 1;
  items.coefficient[warp] = W;
  detail::lane_offsets<W> offsets;
  return offsets.hold(box, e);
}

}  // namespace mmm
