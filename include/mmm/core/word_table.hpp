// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

//! A table from words to values, for few words among many.
namespace mmm::detail {

//! The values of the words that have been looked up, each `T{}` at first: open addressing, at most
//! half full. A reference is valid until the next look-up. Time: O(1) expected.
template <class T>
class word_table {
 public:
  [[nodiscard]] constexpr T& operator[](index word) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    std::size_t& slot = slots_[slot_of(word)];
    if (slot == 0) {
      entries_.push_back({word, T{}});
      slot = entries_.size();
    }
    return entries_[slot - 1].value;
  }

 private:
  struct entry {
    index word;
    T value;
  };
  //! The slot of the word, or the free slot for it.
  [[nodiscard]] constexpr std::size_t slot_of(index word) const {
    auto place =
        static_cast<std::size_t>((static_cast<std::uint64_t>(word) * 0x9E3779B97F4A7C15U) >> 32);
    for (;; ++place) {
      place &= slots_.size() - 1;
      if (slots_[place] == 0 || entries_[slots_[place] - 1].word == word) return place;
    }
  }
  constexpr void grow() {
    std::size_t const wanted = slots_.empty() ? 64 : 2 * slots_.size();
    slots_.assign(wanted, 0);
    for (std::size_t k = 0; k < entries_.size(); ++k) slots_[slot_of(entries_[k].word)] = k + 1;
  }
  std::vector<entry> entries_{};
  std::vector<std::size_t> slots_{};  //!< a power of two of slots; 1 + index of an entry, or 0
};

}  // namespace mmm::detail
