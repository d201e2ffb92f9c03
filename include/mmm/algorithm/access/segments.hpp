// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/access/reading.hpp>
#include <mmm/algorithm/access/sequential_read.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! Contiguous access to several arrays, or segments of a memory (Nakano 2013a, theorem 2).
MMM_BODIES_BEGIN
namespace mmm {

//! Consecutive words of a memory: one array of several, or a row of a submatrix.
struct segment {
  index first = 0;  //!< address of the first word, 0 or more
  index words = 0;  //!< number of words, 0 or more

  friend constexpr bool operator==(segment const&, segment const&) = default;
};

namespace detail {

//! Steps through the addresses of segments, one after the other, as an iterator.
template <class Iterator>
class segment_walk {
 public:
  //! \param words number of addresses from the first one of `segments` on
  constexpr segment_walk(Iterator segments, index words) : segments_(segments), left_(words) {
    skip_empty();
  }
  [[nodiscard]] constexpr index operator*() const { return (*segments_).first + place_; }
  constexpr segment_walk& operator++() {
    --left_;
    if (++place_ == (*segments_).words) {
      ++segments_;
      place_ = 0;
      skip_empty();
    }
    return *this;
  }
  [[nodiscard]] friend constexpr index operator-(segment_walk const& a, segment_walk const& b) {
    return b.left_ - a.left_;
  }

 private:
  constexpr void skip_empty() {
    if (left_ == 0) return;
    while ((*segments_).words == 0) ++segments_;
  }

  Iterator segments_;
  index left_;
  index place_ = 0;
};

}  // namespace detail

//! The number of words of the segments [first, last). Errors: std::invalid_argument for a negative
//! address or number; std::overflow_error if an address or the number does not fit 64 bits.
template <class Iterator>
[[nodiscard]] constexpr index words_of_segments(Iterator first, Iterator last) {
  natural words = 0;
  for (; first != last; ++first) {
    segment const s = *first;
    if (s.first < 0) detail::reject("the first address of a segment", s.first, "0 or more");
    if (s.words < 0) detail::reject("the number of words of a segment", s.words, "0 or more");
    static_cast<void>(detail::checked_add(s.first, s.words));
    words = words + s.words;
  }
  return words;
}

//! The cost of contiguous access to the words of segments as **one sequence**: thread i accesses
//! the words i, i + p, … of all segments together, so that the threads that have finished one
//! segment begin the next one in the same round. \param m a dmm or umm. Time: exact; at most
//! segments_bound. Errors: as words_of_segments. Time to compute: one step per word. Source: Nakano
//! 2013a, theorem 2.
template <memory M, class Iterator>
[[nodiscard]] constexpr cost segments_cost(M const& m, Iterator first, Iterator last, threads p) {
  index const words = words_of_segments(first, last);
  using walk = detail::segment_walk<Iterator>;
  return sequential_cost(m, walk(first, words), walk(last, 0), p);
}

//! The cost of contiguous access to the segments [first, last) **in turn**, each by all threads in
//! rounds of its own. A segment of fewer than lw words takes the latency l nevertheless, so that
//! the bound of Nakano 2013a, theorem 2, whose proof says "in turn", does not hold: n/w segments of
//! w words take nl/w. \param m a dmm or umm. Errors: as words_of_segments.
template <memory M, class Iterator>
[[nodiscard]] constexpr cost segments_in_turn_cost(M const& m, Iterator first, Iterator last,
                                                   threads p) {
  static_cast<void>(words_of_segments(first, last));
  cost total;
  for (; first != last; ++first) {
    segment const s = *first;
    total = total + cost_of(m, item + s.first, size(s.words), p);
  }
  return total;
}

//! The bound of segments_cost for n words in k segments, on a dmm or umm. As one sequence, they
//! have k - 1 gaps at most, so that it is `2(k - 1) + ceil(n/p)(2 ceil(p/w) + l - 1)`; for k <=
//! n/w, O(n/w + nl/p + l). Source: Nakano 2013a, theorem 2, by Nakano 2013b, theorem 1.
template <memory M>
[[nodiscard]] constexpr index segments_bound(M const& m, index n, index k, threads p) {
  return sequential_bound(m, n, larger(natural(k), 1) - 1, p);
}

namespace detail {

//! Appends the addresses of the words of segments, in their order. Errors: as words_of_segments;
//! std::out_of_range for a segment beyond an array of `words`.
template <class Iterator>
void append_addresses(host_array<index>& addresses, Iterator first, Iterator last, index words) {
  static_cast<void>(words_of_segments(first, last));
  for (; first != last; ++first) {
    segment const s = *first;
    if (s.first + s.words > words)
      throw_out_of_range(failure_text("mmm: a segment of the addresses ", s.first, " to ",
                                      s.first + s.words - 1, " of an array of ", words));
    for (index i = 0; i < s.words; ++i) addresses.push_back(s.first + i);
  }
}

//! The algorithm object behind mmm::read_segments.
struct segments_algorithm {
  static constexpr char const* name = "segments";
  static constexpr char const* paper = "Nakano 2013a, theorem 2";

  template <class On, class Iterator, class Segments>
  auto operator()(On on, Iterator first, Iterator last, Segments segment_first,
                  Segments segment_last) const {
    static_assert(call_of<On, Iterator, Segments>::accepted);
    auto const words = static_cast<index>(last - first);
    host_array<index> addresses;
    append_addresses(addresses, segment_first, segment_last, words);
    index const n = addresses.size();
    return total_of_threads(on, sequential_access{}, reads(first, words),
                            known_table{addresses.data(), n}, n);
  }
};

}  // namespace detail

//! Contiguous access to segments as one sequence: `mmm::read_segments(on, first, last,
//! segment_first, segment_last)` reads the words of [first, last) in the segments and returns their
//! sum; the threads' sums are added up free of cost. Errors: std::invalid_argument for a negative
//! address or number of words, std::out_of_range for a segment beyond the array, before anything is
//! read. Time: exactly segments_cost. Source: Nakano 2013a, theorem 2.
inline constexpr detail::segments_algorithm read_segments{};

}  // namespace mmm
MMM_BODIES_END
