// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Sets of the lanes of a warp, as bits.
namespace mmm::detail {

//! A set of 64 lanes, lane t as bit t.
using lane_word = std::uint64_t;

//! The first `lanes` lanes of a word: none below 1, all from 64 on.
[[nodiscard]] MMM_ALWAYS_INLINE constexpr lane_word lowest_lanes(index lanes) {
  return lanes >= 64 ? ~lane_word{0} : lanes <= 0 ? 0 : (lane_word{1} << lanes) - 1;
}

//! A set of lanes among `W >= 1`. Time: O(W / 64).
template <int W>
struct lane_set {
  static constexpr int words = (W + 63) / 64;
  lane_word word[words] = {};

  //! The first `lanes` lanes; any number is accepted.
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr lane_set first(index lanes) {
    lane_set result;
    if (lanes > W) lanes = W;
    for (int k = 0; k < words; ++k) result.word[k] = lowest_lanes(lanes - 64 * k);
    return result;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool has(int t) const {
    return ((word[t / 64] >> (t % 64)) & 1U) != 0;
  }
  MMM_ALWAYS_INLINE constexpr void insert(int t) { word[t / 64] |= lane_word{1} << (t % 64); }
  //! The number of lanes.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr int count() const {
    int sum = 0;
    for (lane_word const bits : word) sum += __builtin_popcountll(bits);
    return sum;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool empty() const {
    for (lane_word const bits : word)
      if (bits != 0) return false;
    return true;
  }
  MMM_ALWAYS_INLINE constexpr lane_set& operator&=(lane_set const& other) {
    for (int k = 0; k < words; ++k) word[k] &= other.word[k];
    return *this;
  }
  MMM_ALWAYS_INLINE constexpr lane_set& operator|=(lane_set const& other) {
    for (int k = 0; k < words; ++k) word[k] |= other.word[k];
    return *this;
  }
  //! The lanes of `all` that are not in this set.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr lane_set without_from(lane_set all) const {
    for (int k = 0; k < words; ++k) all.word[k] &= ~word[k];
    return all;
  }
  friend constexpr bool operator==(lane_set const&, lane_set const&) = default;
};

}  // namespace mmm::detail
