// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/inside.hpp>
#include <mmm/cost/refusal.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! A check that the addresses of a request, or a cost, can be computed: without an overflow of 64
//! bits, a division by 0, or a shift that C++ does not have. Assertions check it first, so that
//! their message is short.
namespace mmm::detail {

//! Names a constant expression; nothing else has such a type.
template <bool>
struct truth;

//! True; no constant expression if the addresses of warp `warp` have no value.
template <class By, class E>
[[nodiscard]] constexpr bool has_addresses(E const& e, index warp) {
  using lanes = lanes_of_request<By>;
  static_cast<void>(inside<By>(e, warp));
  index const first = checked_multiply(warp, index{lanes::count});
  assignment item;
  for (index t = 0; t < lanes::count; ++t) {
    if (!lanes::gives_address(t)) continue;
    item.slot[item_slot] = checked_add(first, t);
    static_cast<void>(place_of(e).template value<checked_arithmetic>(item));
  }
  return true;
}
template <class By, auto Expression, index Warp>
concept computable_request = requires { typename truth<has_addresses<By>(Expression, Warp)>; };

//! True; no constant expression if item `k` has no address.
template <class E>
[[nodiscard]] constexpr bool has_address(E const& e, index warp, index lanes, index t) {
  assignment item;
  item.slot[item_slot] = checked_add(checked_multiply(warp, lanes), t);
  static_cast<void>(place_of(e).template value<checked_arithmetic>(item));
  return true;
}
//! The first lane from T on whose address has no value; the number of lanes if each has one.
template <auto Expression, index Warp, int Lanes, int T = 0>
[[nodiscard]] constexpr int first_failing_lane() {
  if constexpr (T == Lanes)
    return Lanes;
  else if constexpr (requires { typename truth<has_address(Expression, Warp, Lanes, T)>; })
    return first_failing_lane<Expression, Warp, Lanes, T + 1>();
  else
    return T;
}

template <class By, auto Expression, index Warp>
using computation_error =
    refused<not_computable, pattern_of<Expression>, warp_number<Warp>,
            in_lane<first_failing_lane<Expression, Warp, lanes_of_request<By>::count>()>>;

//! A GPU has the access `By`; a memory has all.
template <class By>
concept access_exists =
    requires { typename truth<(lanes_of_request<By>::gives_address(0) || true)>; };

template <class M, auto Expression, index Items, index Threads>
concept computable_time =
    requires { typename truth<(cost_of<M>(Expression, size(Items), threads(Threads)).time >= 0)>; };

}  // namespace mmm::detail
