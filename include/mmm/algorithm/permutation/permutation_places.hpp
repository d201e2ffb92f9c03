// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>

namespace mmm::detail {

//! Throws std::invalid_argument, with the two places that go to one, unless the n integers from
//! `first` on are a permutation of 0 … n - 1. Time: O(n).
template <class Iterator>
constexpr void demand_permutation(Iterator first, index n) {
  host_array<index> taken(n);  // one plus the place that goes there
  for (index i = 0; i < n; ++i) {
    auto const place = static_cast<index>(first[i]);
    if (place < 0 || place >= n)
      throw_invalid_argument(failure_text("mmm: no permutation: place ", i, " goes to ", place,
                                          "; accepted: 0 to ", n - 1));
    if (taken[place] != 0)
      throw_invalid_argument(failure_text("mmm: no permutation: places ", taken[place] - 1, " and ",
                                          i, " both go to ", place,
                                          "; accepted: every place once"));
    taken[place] = i + 1;
  }
}

}  // namespace mmm::detail
