// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/access/segments.hpp>
#include <mmm/algorithm/access/sequential_read.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

//! Copies of segments of an HMM's global memory to the shared memories (Nakano and Ito 2014, lemma
//! 3), for instance of a submatrix, each of whose rows is a segment.
MMM_BODIES_BEGIN
namespace mmm {

//! Every DMM reads its part of the n words at `addresses` from the global memory into its shared
//! memory, in rows of all threads, and writes it to `out`, where the words are contiguous. Needs `t
//! ceil(n / (t d))` words of shared memory for t threads per DMM. Errors: std::length_error if
//! there are fewer. Time: copy_segments_cost. Source: Nakano and Ito 2014, lemma 3, in both
//! directions.
struct segment_copy {
  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, address_sequence addresses,
                                            index n, Output out) const {
    if (n == 0) return;
    using value = typename Iterator::value_type;
    index const columns = on.threads_per_dmm();
    index const pitch = on.threads();
    index const rows = detail::ceil_divide(n, pitch);
    on.each_dmm([=](auto& block, auto dmm) {
      auto s = block.template allocate<value>(columns * rows);
      block.repeat(rows, [=, &block](auto row) {
        block.each(columns, [=](auto i) {
          auto const place = row * pitch + dmm * columns + i;
          store_if(place < n, s[row * columns + i],
                   load_if(place < n, a[addresses.address_of(place)], value{}));
        });
      });
      block.repeat(rows, [=, &block](auto row) {
        block.each(columns, [=](auto i) {
          auto const place = row * pitch + dmm * columns + i;
          store_if(place < n, out[place], load_if(place < n, s[row * columns + i], value{}));
        });
      });
    });
  }
};

namespace detail {

//! The cost of moving the words at n addresses between the global memory and the shared memories of
//! an HMM, in rows of all threads: a round in each memory for every row. \param walk steps through
//! the addresses.
template <hierarchical_machine M, class Walk>
[[nodiscard]] constexpr cost transfer_cost(M const& m, Walk walk, index n, threads p) {
  using global = remove_cvref_t<decltype(m.global())>;
  auto const width = width_in(m.global());
  index const w = width.width();
  index const columns = p.count / m.dmms();
  cost total;
  total.closed_form = false;
  for (index row = 0; row < n; row += columns * m.dmms()) {
    index stages = 0;
    for (index dmm = row; dmm < smaller(n, row + columns * m.dmms()); dmm += columns)
      for (index warp = dmm; warp < smaller(n, dmm + columns); warp += w) {
        index address[max_lanes<global>] = {};
        int const lanes = static_cast<int>(smaller(w, smaller(n, dmm + columns) - warp));
        for (int t = 0; t < lanes; ++t, ++walk) address[t] = *walk;
        stages += count_stages<global::conflicts>(
            width, lanes, [&](int t) { return address[t]; }, [](int) { return true; });
      }
    index const all = n - row;
    index const in_first = ceil_divide(smaller(all, columns), w);  // the DMM with the most words
    index shared = 0;
    for (index before = 0; before < smaller(all, columns * m.dmms()); before += columns)
      shared += ceil_divide(smaller(all - before, columns), w);
    total = total + cost{1, stages, round_time(m.global(), stages), false} +
            cost{1, shared, round_time(m.shared(), in_first), false};
  }
  return total;
}

}  // namespace detail

//! The cost of mmm::copy_segments for the segments [first, last) of the global memory: to the
//! shared memories, and from there to contiguous words that begin at an address group. \param p
//! threads of all DMMs, a multiple of their number. Time: exact. Errors: as words_of_segments. Time
//! to compute: one step per word. Source: Nakano and Ito 2014, lemma 3.
template <hierarchical_machine M, class Iterator>
[[nodiscard]] constexpr cost copy_segments_cost(M const& m, Iterator first, Iterator last,
                                                threads p) {
  index const n = words_of_segments(first, last);
  segment const whole[1] = {{0, n}};
  return detail::transfer_cost(m, detail::segment_walk<Iterator>(first, n), n, p) +
         detail::transfer_cost(m, detail::segment_walk<segment const*>(whole, n), n, p);
}

//! The bound of copy_segments_cost for n words in k segments by p threads, t = p/d to a DMM:
//! `2(k - 1) + 2 ceil(n/p)((2d + 1) ceil(t/w) + L + l - 2)`; for k <= n/w and n a multiple of p,
//! O(n/w + n(L + l)/p), which is lemma 3 of Nakano and Ito 2014, whose p is that of a DMM. Its "in
//! turn" is right for one sequence of words only, as of segments_in_turn_cost.
template <hierarchical_machine M>
[[nodiscard]] constexpr index copy_segments_bound(M const& m, index n, index k, threads p) {
  natural const warps = natural(p.count) / m.dmms() / m.width();
  natural const row = (natural(2) * m.dmms() + 1) * warps +
                      (natural(m.global().latency()) + (natural(m.shared().latency()) - 1) - 1);
  return 2 * (larger(natural(k), 1) - 1) + 2 * (natural(n) / p.count) * row;
}

namespace detail {

//! The algorithm object behind mmm::copy_segments.
struct copy_segments_algorithm {
  static constexpr char const* name = "copy-segments";
  static constexpr char const* paper = "Nakano and Ito 2014, lemma 3";

  template <class On, class Iterator, class Segments, class Output>
  void operator()(On on, Iterator first, Iterator last, Segments segment_first,
                  Segments segment_last, Output out) const {
    static_assert(call_of<On, Iterator, Segments, Output>::accepted);
    auto const words = static_cast<index>(last - first);
    host_array<index> addresses;
    append_addresses(addresses, segment_first, segment_last, words);
    index const n = addresses.size();
    perform(on, segment_copy{}, reads(first, words), known_table{addresses.data(), n}, n,
            writes<iterator_value_t<Iterator>>(out, n));
  }
};

}  // namespace detail

//! Copies segments of the global memory of an HMM to the shared memories, and from there to
//! contiguous words: `mmm::copy_segments(on, first, last, segment_first, segment_last, out)`.
//! Errors: std::invalid_argument for a negative address or number of words, or if `out` overlaps
//! the array; std::out_of_range for a segment beyond the array; std::length_error if the shared
//! memories are too small. Time: exactly copy_segments_cost. Source: Nakano and Ito 2014, lemma 3.
inline constexpr detail::copy_segments_algorithm copy_segments{};

}  // namespace mmm
MMM_BODIES_END
