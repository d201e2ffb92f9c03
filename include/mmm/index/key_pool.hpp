// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Sequences of numbers as keys, by which answers found before are recognized.
namespace mmm::detail {

//! The place of a key in a pool, counted since the beginning, and its hash.
struct pool_key {
  index begin = 0;
  index length = 0;
  std::uint64_t hash = 0;
};

//! The latest keys, in a ring of `Size` numbers. Equal keys are found by their hash and then
//! compared number by number, so that no two different ones are ever taken for each other.
template <int Size>
class ring_of_keys {
 public:
  using key = pool_key;

  //! Begins a key. Only one at a time is being written.
  constexpr void begin() {
    begin_ = used_;
    hash_ = 0x9E3779B97F4A7C15U;
  }
  constexpr void add(index number) {
    number_[used_++ % Size] = number;
    hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0xFF51AFD7ED558CCDU;
    hash_ ^= hash_ >> 32;
  }
  //! The key written since begin().
  [[nodiscard]] constexpr key end() {
    if (used_ > written_) written_ = used_;
    return {begin_, used_ - begin_, hash_};
  }
  //! Gives the numbers of the last key back.
  constexpr void drop(key const& last) { used_ = last.begin; }

  //! True if an ended key is still in the ring; with `share` = 2, if it is in the newer half.
  [[nodiscard]] constexpr bool in_ring(key const& k, int share = 1) const {
    return written_ - k.begin <= Size / share;
  }
  //! True if two keys are equal. A key that is no longer in the ring is equal to none.
  [[nodiscard]] constexpr bool same(key const& a, key const& b) const {
    if (a.hash != b.hash || a.length != b.length || !in_ring(a) || !in_ring(b)) return false;
    for (index k = 0; k < a.length; ++k)
      if (number_[(a.begin + k) % Size] != number_[(b.begin + k) % Size]) return false;
    return true;
  }

 private:
  index number_[Size] = {};
  index used_ = 0;     //!< numbers in use
  index written_ = 0;  //!< and with those that were given back: they have overwritten others, too
  index begin_ = 0;
  std::uint64_t hash_ = 0;
};

//! The keys of one search.
using key_pool = ring_of_keys<4096>;

}  // namespace mmm::detail
