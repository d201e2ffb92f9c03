// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>

#include "support/long_tests.hpp"

#include <array>
#include <cstddef>
#include <vector>

//! Combinations of parameters for a test: all in long tests, otherwise half of them.
namespace checks {

using mmm::index;

//! True for all cases in long tests, otherwise for those with an even sum of the places of their
//! parameters in lists.
inline bool takes(index places) { return places % 2 == 0 || long_tests(); }

//! The combinations of values of three lists that `takes` takes. Any two values of different lists
//! are together in one of them, if the third list has two values or more.
inline std::vector<std::array<index, 3>> combinations(std::vector<index> const& first,
                                                      std::vector<index> const& second,
                                                      std::vector<index> const& third) {
  std::vector<std::array<index, 3>> r;
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j)
      for (std::size_t k = 0; k < third.size(); ++k)
        if (takes(static_cast<index>(i + j + k))) r.push_back({first[i], second[j], third[k]});
  return r;
}

}  // namespace checks
