// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <type_traits>

//! Stages of one request at run time, fast: addresses are known to be 0 or more.
namespace mmm::detail {

//! Finds out which keys are new: open addressing. A slot holds a stamp that says which key of which
//! request it is of; stamps of earlier requests are smaller than the current request's, so that
//! nothing needs to be cleared.
template <int W>
class quick_set {
  static constexpr int log2_slots = [] {
    int bits = 4;
    while ((1 << bits) < 64 * W) ++bits;
    return bits;
  }();

 public:
  //! Calls `each(t, fresh)` for the keys `key[0] … key[count - 1]`; `fresh` is 1 if the key was not
  //! among those before.
  template <class Each>
  MMM_ALWAYS_INLINE void visit(int count, index const* key, Each each) {
    if (base_ > UINT32_MAX - 2 * W) [[unlikely]]
      start_again();
    std::uint32_t const base = base_;
    base_ += W;
    for (int t = 0; t < count; ++t) {
      auto slot = (static_cast<std::uint64_t>(key[t]) * 0x9E3779B97F4A7C15U) >> (64 - log2_slots);
      int fresh = 1;
      while (stamp_[slot] >= base) {
        if (key[stamp_[slot] - base] == key[t]) {
          fresh = 0;
          break;
        }
        slot = (slot + 1) & ((std::uint64_t{1} << log2_slots) - 1);
      }
      if (fresh != 0) stamp_[slot] = base + static_cast<std::uint32_t>(t);
      each(t, fresh);
    }
  }

 private:
  [[gnu::noinline]] void start_again() {
    for (std::uint32_t& stamp : stamp_) stamp = 0;
    base_ = 1;
  }
  std::uint32_t base_ = 1;
  std::uint32_t stamp_[std::size_t{1} << log2_slots] = {};
};

//! Counts the stages of the requests of warps of `W` lanes. For `conflict::amount` a request's
//! accesses are counted, which a round turns into stages (stages_of_round); for `conflict::none`
//! any request counts 1.
template <int W>
class warp_stages {
 public:
  //! Addresses `first, first + stride, …` of `lanes > 0` lanes. Time: O(1) for strides 0 and 1,
  //! otherwise O(log W).
  template <conflict Conflict>
  [[nodiscard]] MMM_ALWAYS_INLINE static index of_affine(index first, index stride, int lanes) {
    if constexpr (Conflict == conflict::none) {
      return 1;
    } else if constexpr (Conflict == conflict::amount) {
      return lanes;
    } else {
      if (stride == 0) return 1;
      if (stride == 1) {
        if constexpr (Conflict == conflict::banks)
          return 1;
        else
          return group_of(first + lanes - 1) - group_of(first) + 1;
      }
      return count_affine_stages<Conflict, W>(first, stride, lanes);
    }
  }

  //! Any addresses: `at(0) … at(count - 1)`. Time: O(count) expected.
  template <conflict Conflict, class At>
  [[nodiscard]] MMM_ALWAYS_INLINE index of(int count, At at) {
    if (count == 0) return 0;
    if constexpr (Conflict == conflict::none) {
      return 1;
    } else if constexpr (Conflict == conflict::amount) {
      return count;
    } else {
      // Local arrays, as stores of bytes into members would make the compiler load everything
      // again.
      index key[W];
      for (int t = 0; t < count; ++t)
        key[t] = Conflict == conflict::banks ? at(t) : group_of(at(t));
      if constexpr (Conflict == conflict::banks) {
        small in_bank[W] = {};
        set_.visit(count, key, [&](int t, int fresh) {
          small& bank = in_bank[static_cast<std::uint64_t>(key[t]) % W];
          bank = static_cast<small>(bank + fresh);
        });
        small longest = 0;
        for (small const bank : in_bank) longest = longest < bank ? bank : longest;
        return longest;
      } else {
        index groups = 0;
        set_.visit(count, key, [&](int, int fresh) { groups += fresh; });
        return groups;
      }
    }
  }

 private:
  using small = std::conditional_t<(W < 256), std::uint8_t, std::uint32_t>;
  [[nodiscard]] MMM_ALWAYS_INLINE static index group_of(index address) {
    return static_cast<index>(static_cast<std::uint64_t>(address) / W);
  }
  quick_set<W> set_{};
};

//! The stages of a round whose requests count `sum` together.
template <conflict Conflict, int W>
[[nodiscard]] constexpr index stages_of_round(index sum) {
  if constexpr (Conflict == conflict::none)
    return sum != 0 ? 1 : 0;
  else if constexpr (Conflict == conflict::amount)
    return ceil_divide(sum, W);
  else
    return sum;
}

}  // namespace mmm::detail
