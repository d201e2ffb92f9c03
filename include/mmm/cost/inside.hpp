// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/element.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! A check that the accesses of a pattern are to elements that its layouts have.
namespace mmm {
namespace detail {

//! The lanes of a warp's request, and those which give an address; specialized for memories and for
//! the accesses of GPUs.
template <class By>
struct lanes_of_request;
template <memory M>
requires fixed_width<M>
struct lanes_of_request<M> {
  static constexpr int count = static_cast<int>(M::width());
  [[nodiscard]] static constexpr bool gives_address(index) { return true; }
};

template <class By>
concept has_lanes = requires { sizeof(lanes_of_request<By>); };

template <class By, expression E>
[[nodiscard]] constexpr outside_element first_outside(E const& e, index warp) {
  using lanes = lanes_of_request<By>;
  return first_outside(e, checked_multiply(warp, index{lanes::count}), lanes::count,
                       [](index t) { return lanes::gives_address(t); });
}

}  // namespace detail

//! Every lane of warp `warp` asks the layouts in `e` for elements that they have: `0 <= row <
//! rows()` and `0 <= column < columns()`. The side of a selection that a lane does not take is not
//! looked at; true for addresses that no layout has computed.
//! \tparam By a memory, or the access of a GPU, as mmm::gpu::load<16>, of which the first byte
//! counts. Errors: as cost_of. Time: O(lanes) at most.
template <class By, expression E>
requires detail::has_lanes<By>
[[nodiscard]] constexpr bool inside(E const& e, index warp = 0) {
  return detail::first_outside<By>(e, warp).lane < 0;
}

//! The same of the items 0 … n - 1. Time: O(n) at most.
template <expression E>
[[nodiscard]] constexpr bool inside(E const& e, size n) {
  return detail::first_outside(e, 0, n.count, [](index) { return true; }).lane < 0;
}

}  // namespace mmm
