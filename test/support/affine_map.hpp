// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! A user's value type and operator for tests of scans: composition is associative and not
//! commutative, so a scan that exchanges operands is found.
namespace checks {

//! The map x -> scale x + shift, modulo 2^32.
struct affine_map {
  unsigned scale = 1;
  unsigned shift = 0;
  friend constexpr bool operator==(affine_map const&, affine_map const&) = default;
};

//! The map that applies first, then second.
struct composition {
  MMM_HOST_DEVICE constexpr affine_map operator()(affine_map const& first,
                                                  affine_map const& second) const {
    return {first.scale * second.scale, first.shift * second.scale + second.shift};
  }
};

}  // namespace checks
