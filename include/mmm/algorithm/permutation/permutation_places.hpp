// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>

namespace mmm::detail {

//! A word whose place makes n places no permutation of 0 … n - 1.
struct misplaced_word {
  index word = -1;   //!< that goes to a wrong place; -1: none
  index other = -1;  //!< that goes there, too; -1: the place is none of 0 … n - 1
  index place = -1;
};

//! The first word that makes n integers no permutation. Time: O(n).
template <class Iterator>
[[nodiscard]] constexpr misplaced_word misplaced_in(Iterator first, index n) {
  host_array<index> taken(n);  // one plus the word that goes there
  for (index i = 0; i < n; ++i) {
    auto const place = static_cast<index>(first[i]);
    if (place < 0 || place >= n) return {i, -1, place};
    if (taken[place] != 0) return {i, taken[place] - 1, place};
    taken[place] = i + 1;
  }
  return {};
}

//! A compile error unless `Word` is -1: the word goes to `Place`, where `Other` goes, too, or, if
//! that is -1, to none of the places 0 … Size - 1.
template <index Word, index Other, index Place, index Size>
struct place_of_word {
  static_assert(
      Word < 0 || Other < 0,
      "mmm: no permutation: place_of_word<word, other, place, size>: both words go to this "
      "place");
  static_assert(
      Word < 0 || Other >= 0,
      "mmm: no permutation: place_of_word<word, -1, place, size>: the word goes to a place "
      "outside of 0 to size - 1");
  static constexpr bool accepted = true;
};

//! Throws std::invalid_argument, with the two places that go to one, unless the n integers from
//! `first` on are a permutation of 0 … n - 1. Time: O(n).
template <class Iterator>
constexpr void demand_permutation(Iterator first, index n) {
  misplaced_word const found = misplaced_in(first, n);
  if (found.word < 0) return;
  if (found.other < 0)
    throw_invalid_argument(failure_text("mmm: no permutation: place ", found.word, " goes to ",
                                        found.place, "; accepted: 0 to ", n - 1));
  throw_invalid_argument(failure_text("mmm: no permutation: places ", found.other, " and ",
                                      found.word, " both go to ", found.place,
                                      "; accepted: every place once"));
}

}  // namespace mmm::detail
