// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! The bodies of a program's phases (each_phase).
MMM_BODIES_BEGIN
namespace mmm::detail {

//! Calls the body of phase k: number `k % N` of N bodies.
template <class... Bodies>
MMM_HOST_DEVICE constexpr void call_in_turn(index k, Bodies const&... bodies) {
  index own = k % index{sizeof...(bodies)};
  (..., (own-- == 0 ? bodies(k) : void()));
}

//! Calls one of the bodies for phase k, so that a kernel has no other; nothing if there is no body
//! with this number.
template <int>
MMM_HOST_DEVICE constexpr void call_numbered(index) {}
template <int Number, class Body, class... Bodies>
MMM_HOST_DEVICE constexpr void call_numbered(index k, Body const& body, Bodies const&... others) {
  if constexpr (Number == 0)
    body(k);
  else
    call_numbered<Number - 1>(k, others...);
}

}  // namespace mmm::detail
MMM_BODIES_END
