// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>

//! Candidates in a tuple of Boost.Hana, or of any library that has `unpack` for its tuples.
namespace mmm {

//! The candidates of a tuple: `best<gpu::h200>(candidates_in(tuple, hana::unpack), size(n))`, where
//! `unpack(tuple, f)` calls `f` with the tuple's elements.
template <class Tuple, class Unpack>
[[nodiscard]] constexpr auto candidates_in(Tuple const& tuple, Unpack const& unpack) {
  return unpack(tuple, [](auto const&... one) { return candidates{one...}; });
}

}  // namespace mmm
