// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/element.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/service.hpp>

//! The request that a warp makes by an index expression. machine/service.hpp counts its stages.
namespace mmm::detail {

//! The addresses that the w lanes of warp `warp` ask for, lane t for `e(warp * w + t)`. Errors: as
//! cost_of.
template <class Width>
struct warp_addresses {
  index address[Width::max_lanes] = {};
  template <class E>
  constexpr warp_addresses(Width const& width, E const& e, index warp) {
    index const w = width.width();
    index const first = checked_multiply(warp, w);
    assignment item;
    for (int t = 0; t < w; ++t) {
      item.slot[item_slot] = checked_add(first, t);
      address[t] = place_of(e).template value<checked_arithmetic>(item);
    }
  }
  constexpr index operator()(int t) const { return address[t]; }
};

}  // namespace mmm::detail
