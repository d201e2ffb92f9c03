// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

MMM_BODIES_BEGIN
namespace mmm::detail {

//! Copies n words of `in` to `out`, as a step of a larger program. Time on a machine with one
//! memory: two accesses of n words.
struct copy_words_program {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In in, Out out, index n) const {
    on.each(n, [=](auto i) { out[i] = load(in[i]); });
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
