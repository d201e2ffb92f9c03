// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/lane_set.hpp>
#include <mmm/core/type_traits.hpp>

namespace mmm {

//! A condition for every lane of a warp, the result of comparing warp-wide indices or values;
//! combined by `&&`, `||`, `!`. `W >= 1` lanes. Both sides of `&&` and `||` are evaluated. Time:
//! O(W / 64).
template <int W>
class warp_mask {
  static constexpr int words = detail::lane_set<W>::words;

 public:
  static constexpr int width = W;

  //! False in all lanes.
  constexpr warp_mask() = default;

  //! Refused, in words: lanes may differ.
  template <detail::same_as<bool> Bool>
  constexpr explicit operator Bool() const {
    static_assert(detail::never<Bool>,
                  "mmm: a condition in a body is no bool, as a whole warp executes it: write "
                  "mmm::store_if(c, a[i], x) instead of if (c) a[i] = x, mmm::load_if(c, a[i], x) "
                  "or mmm::select(c, x, y) instead of c ? x : y");
    return false;
  }

  //! True in the first `count` lanes; any number is accepted.
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_mask prefix(index count) {
    warp_mask result;
    result.lanes_ = detail::lane_set<W>::first(count);
    return result;
  }

  //! True where `condition(lane)` is. Time: O(W).
  template <class Condition>
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_mask by_lane(Condition condition) {
    warp_mask result;
    for (int k = 0; k < words; ++k) {
      int const lanes_here = (k + 1) * 64 <= W ? 64 : W - k * 64;
      std::uint64_t bits = 0;
      for (int t = 0; t < lanes_here; ++t)
        bits |= static_cast<std::uint64_t>(condition(k * 64 + t) ? 1 : 0) << t;
      result.lanes_.word[k] = bits;
    }
    return result;
  }

  //! True if the condition holds in lane t, `0 <= t < W`.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool operator[](int t) const { return lanes_.has(t); }
  //! The number of lanes that it holds in.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr int count() const { return lanes_.count(); }
  //! The number n if it holds in the first n lanes and in no other, otherwise -1.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr int prefix_length() const {
    int length = 0;
    bool ended = false;
    for (int k = 0; k < words; ++k) {
      std::uint64_t const bits = lanes_.word[k];
      if ((bits & (bits + 1)) != 0 || (ended && bits != 0)) return -1;
      int const here = bits == ~std::uint64_t{0} ? 64 : __builtin_ctzll(~bits);
      length += here;
      ended = here != 64;
    }
    return length;
  }
  //! The lanes that it holds in, if they are consecutive: `count` from `first` on; otherwise
  //! `count` is -1.
  struct lane_run {
    int first;
    int count;
  };
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr lane_run run() const {
    if constexpr (words == 1) {
      std::uint64_t const bits = lanes_.word[0];
      if (bits == 0) return {0, 0};
      int const first = __builtin_ctzll(bits);
      std::uint64_t const ones_from_0 = bits >> first;
      if ((ones_from_0 & (ones_from_0 + 1)) != 0) return {0, -1};
      return {first, 64 - __builtin_clzll(ones_from_0)};
    } else {
      return {0, prefix_length()};
    }
  }
  //! True if it holds in all lanes.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool all() const { return *this == prefix(W); }
  //! True if it holds in no lane.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool none() const { return lanes_.empty(); }

  friend constexpr bool operator==(warp_mask const&, warp_mask const&) = default;
  [[nodiscard]] MMM_ALWAYS_INLINE friend constexpr warp_mask operator&&(warp_mask a,
                                                                        warp_mask const& b) {
    a.lanes_ &= b.lanes_;
    return a;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE friend constexpr warp_mask operator&&(warp_mask a, bool b) {
    return b ? a : warp_mask();
  }
  [[nodiscard]] MMM_ALWAYS_INLINE friend constexpr warp_mask operator&&(bool a, warp_mask b) {
    return b && a;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE friend constexpr warp_mask operator||(warp_mask a,
                                                                        warp_mask const& b) {
    a.lanes_ |= b.lanes_;
    return a;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE friend constexpr warp_mask operator||(warp_mask a, bool b) {
    return b ? prefix(W) : a;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE friend constexpr warp_mask operator||(bool a, warp_mask b) {
    return b || a;
  }
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr warp_mask operator!() const {
    warp_mask result;
    result.lanes_ = lanes_.without_from(detail::lane_set<W>::first(W));
    return result;
  }

 private:
  detail::lane_set<W> lanes_;
};

}  // namespace mmm
