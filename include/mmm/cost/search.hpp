// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/key_pool.hpp>

//! The memory of a search for a closed form.
namespace mmm::detail {

//! The state of one search for a closed form: a budget, and the sums found so far, by keys of a
//! pool.
template <class Pool>
struct search_with {
  int budget;
  int tries;              //!< to find a part of many rounds in which some lane is always active
  index evaluations = 0;  //!< over boxes, so far
  index enumerated = 0;   //!< lanes enumerated so far
  int depth = 0;          //!< of the recursion into parts of a plane
  static constexpr int max_depth = 100;  //!< a level takes about 9 KB of the stack
  int entries = 0;
  static constexpr int capacity = 96;
  typename Pool::key key[capacity] = {};
  index value[capacity] = {};
  Pool keys;

  constexpr explicit search_with(int max_evaluations)
      : budget(max_evaluations), tries(max_evaluations <= 1000 ? 32 : INT32_MAX) {}
  [[nodiscard]] constexpr bool exhausted() const { return budget < 0; }
  [[nodiscard]] constexpr index const* find(typename Pool::key const& wanted) const {
    for (int e = entries < capacity ? entries : capacity; e-- > 0;)
      if (keys.same(key[e], wanted)) return &value[e];
    return nullptr;
  }
  constexpr void remember(typename Pool::key const& found, index sum) {
    key[entries % capacity] = found;
    value[entries % capacity] = sum;
    ++entries;
  }
};
using search = search_with<key_pool>;

}  // namespace mmm::detail
