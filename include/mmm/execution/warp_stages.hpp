// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/machine/machine.hpp>

//! Stages of one request at run time, fast: addresses are known to be 0 or more.
namespace mmm::detail {

//! A set of at most `W` keys that is emptied in O(1): open addressing, entries valid in one epoch.
template <int W>
class quick_set {
  static constexpr int log2_slots = [] {
    int bits = 4;
    while ((1 << bits) < 16 * W) ++bits;
    return bits;
  }();
  struct entry {
    index key = 0;
    index epoch = 0;
  };

 public:
  MMM_ALWAYS_INLINE void clear() { ++epoch_; }
  //! Adds a key; whether it was not there.
  MMM_ALWAYS_INLINE bool add(index key) {
    auto slot = (static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U) >> (64 - log2_slots);
    while (table_[slot].epoch == epoch_) {
      if (table_[slot].key == key) return false;
      slot = (slot + 1) & ((std::uint64_t{1} << log2_slots) - 1);
    }
    table_[slot].key = key;
    table_[slot].epoch = epoch_;
    return true;
  }

 private:
  index epoch_ = 0;
  entry table_[std::size_t{1} << log2_slots];
};

//! Counts the stages of the requests of warps of `W` lanes. For `conflict::amount` a request's accesses are counted,
//! which a round turns into stages (stages_of_round); for `conflict::none` any request counts 1.
template <int W>
class warp_stages {
 public:
  //! Addresses `first, first + stride, …` of `lanes > 0` lanes. Time: O(1) for strides 0 and 1, otherwise O(log W).
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
    } else if constexpr (Conflict == conflict::banks) {
      set_.clear();
      for (small& b : in_bank_) b = 0;
      small longest = 0;
      for (int t = 0; t < count; ++t) {
        index const address = at(t);
        small& bank = in_bank_[static_cast<std::uint64_t>(address) % W];
        bank = static_cast<small>(bank + (set_.add(address) ? 1 : 0));
        longest = longest < bank ? bank : longest;
      }
      return longest;
    } else {
      set_.clear();
      index groups = 0;
      for (int t = 0; t < count; ++t) groups += set_.add(group_of(at(t))) ? 1 : 0;
      return groups;
    }
  }

 private:
  using small = std::conditional_t<(W < 256), std::uint8_t, std::uint32_t>;
  [[nodiscard]] MMM_ALWAYS_INLINE static index group_of(index address) {
    return static_cast<index>(static_cast<std::uint64_t>(address) / W);
  }
  quick_set<W> set_;
  small in_bank_[W];
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
