// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/machine/machine.hpp>

//! Where the fast variants of algorithms can be asked for.
namespace mmm::detail {

//! Words of four and registers are for hierarchical machines with whole vecs in a warp.
template <class M>
inline constexpr bool has_fast_variants = requires {
  requires hierarchical_machine<M>;
  requires M::width() % 4 == 0;
};

}  // namespace mmm::detail
