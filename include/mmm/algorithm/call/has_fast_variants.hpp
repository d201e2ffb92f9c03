// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/machine/machine.hpp>

//! The machines that fast variants of algorithms exist for.
namespace mmm::detail {

//! True for hierarchical machines whose warps hold whole vecs of four words: the fast variants
//! access four words at once and use registers.
template <class M>
inline constexpr bool has_fast_variants = requires {
  requires hierarchical_machine<M>;
  requires M::width() % 4 == 0;
};

}  // namespace mmm::detail
