// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/merge_sort_in_one_memory.hpp>
#include <mmm/algorithm/sort/merge_tiles.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/machine.hpp>

//! Sorting by merging. The sources of a merge's words depend on the data, and so does the cost, by
//! the conflicts of these accesses alone: mmm::simulate computes it for given data, mmm::cost_of
//! its least and greatest value, and mmm::upper_bound a bound for all data.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Number of bytes of a word of a sequence.
template <class Sequence>
inline constexpr index bytes_of = sizeof(iterator_value_t<Sequence>);
template <>
inline constexpr index bytes_of<no_data> = sizeof(no_data::value_type);

//! Number of words of 4 bytes that a tile needs in a shared memory, for the keys of t threads and
//! their values.
template <class Key, class Values>
struct merge_memory {
  [[nodiscard]] static constexpr index words(index t, index width) {
    index const count = checked_add(checked_multiply(keys_of_tile_merge, checked_add(t, 1)), 1);
    index of_all = ceil_divide(checked_multiply(count, sizeof(Key)), 4) + width;
    if constexpr (has_values<Values>)
      of_all += ceil_divide(checked_multiply(count, sizeof(typename Values::value_type)), 4);
    return of_all;
  }
};

//! Number of threads per DMM, whole groups of so many lanes and at most `max_threads`, with which n
//! keys make equally many tiles of nearly equal size for each of d DMMs; or a power of two of
//! tiles, which saves a level, if that takes at most a quarter more threads. At least 8 groups.
[[nodiscard]] constexpr index threads_of_merge(index n, index d, index lanes, index max_threads) {
  index const each = keys_of_tile_merge;
  auto const for_tiles = [=](index tiles) {
    return ceil_divide(ceil_divide(ceil_divide(n, tiles), each), lanes) * lanes;
  };
  index const of_all = checked_multiply(checked_multiply(each, max_threads), d);
  index const tiles = larger(1, ceil_divide(n, of_all)) * d;
  index power = 1;
  while (power <= tiles / 2) power *= 2;
  index const balanced = for_tiles(tiles);
  index const fewer = for_tiles(power);
  bool const pays = fewer <= max_threads && fewer - balanced <= balanced / 4;
  return smaller(max_threads, larger(pays ? fewer : balanced, 8 * lanes));
}

//! The problem of sorting n keys by merging, each with a value if `Pairs`.
template <bool Pairs>
struct merge_sort_problem {
  static constexpr index sequences = Pairs ? 2 : 1;
  natural n;
  scatter places;
  constexpr explicit merge_sort_problem(size words, scatter s = scatter::unknown)
      : n(words.count), places(s) {}

  template <class On, class Order = ascending, class Keys = no_data, class Values = no_data>
  constexpr void run(On& on, Order order = {}, Keys keys = {}, Values values = {}) const {
    if constexpr (!is_same_v<Keys, no_data>) {
      demand_warps(on);
      start(on, scatter_of_data{}, order, keys, values);
    } else {
      if (places == scatter::unknown)
        throw_invalid_argument(failure_text(
            "mmm: the cost of a merge sort depends on its keys: write mmm::scatter::contiguous or "
            "mmm::scatter::conflicting after the threads, or mmm::simulate it on data"));
      places == scatter::contiguous ? start(on, scatter_contiguous{}, order)
                                    : start(on, scatter_conflicting{}, order);
    }
  }
  //! Starts the program whose accesses go to the places that `Scatter` assumes.
  template <class On, class Scatter, class Order = ascending, class Keys = no_data,
            class Values = no_data>
  constexpr void start(On& on, Scatter, Order order = {}, Keys keys = {},
                       Values values = {}) const {
    auto const with = [&](auto const& program) {
      perform_sort<Pairs>(on, program, n.count, keys, values);
    };
    if constexpr (hierarchical_machine<typename On::machine_type>)
      with(tile_merge_program<bytes_of<Keys> + (Pairs ? bytes_of<Values> : 0), Order, Scatter>{
          order});
    else
      with(run_merge_program<Order, Scatter>{order});
  }

  //! Throws std::invalid_argument for a kernel on an HMM whose blocks' last warp is not whole.
  template <class On>
  static constexpr void demand_warps(On const& on) {
    if constexpr (hierarchical_machine<typename On::machine_type> &&
                  requires { typename On::launches_programs; }) {
      index const w = on.machine().width();
      if (on.threads_per_dmm() % w != 0)
        reject("the number of threads of a block", on.threads_per_dmm(),
               "a multiple of the machine's width");
    }
  }

  //! The bound of mmm::sort: keys are compared two by two.
  [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
    return sort_problem<Pairs>(size(n)).lower_bound(m);
  }
  //! lower_bound in letters.
  [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
    return sort_problem<Pairs>::lower_bound_formula(m);
  }
  //! For all data. In one memory, with e keys for each thread (keys_of_merge) and j = log(n/e)
  //! levels: `(j + 1) (log n + e) (n/e + nl/(ep) + l)`; a PRAM has `n/(ep)` and a BPRAM `n/(ew)`
  //! for n/e. On an HMM, with e = 15, T = n/(et) tiles, R = T/d of them for a DMM, h = log t levels
  //! in the tiles and j = log T others: `R (h + j + 1) (log(et) + e) (t + l)` for the shared
  //! memories, as where all words of a warp are in one bank, and for the global memory
  //! `(j + 1) (n/w + R e L) + j log n (T + TL/p + L)`, all words and the searches.
  [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
    if (n <= 1) return 0;
    if (!m.hmm) {
      natural const e = m.conflicts == conflict::groups ? 1 : 7;
      natural const items = n / e;
      natural const at_once = m.conflicts == conflict::none     ? m.p
                              : m.conflicts == conflict::amount ? m.w
                                                                : natural(1);
      return (log2(items) + 1) * (log2(n) + e) * (items / at_once + items * m.l / m.p + m.l) *
             sequences;
    }
    natural const e = keys_of_tile_merge;
    natural const tile = e * m.t;
    natural const tiles = n / tile;
    natural const of_dmm = tiles / m.d;
    natural const levels = log2(tiles);
    natural const of_tile = log2(smaller(natural(n / e), m.t)) + levels + 1;
    natural const of_shared = of_dmm * of_tile * (log2(tile) + e) * (m.t + m.l);
    natural const of_words = (levels + 1) * (n / m.w + of_dmm * e * m.L);
    natural const of_searches = levels * log2(n) * (tiles + tiles * m.L / m.p + m.L);
    return (of_shared + of_words) * sequences + of_searches;
  }
};

//! The algorithm object behind mmm::merge_sort.
struct merge_sort_algorithm : keys_call<merge_sort_algorithm> {
  static constexpr char const* name = "merge-sort";
  static constexpr char const* paper =
      "Satish, Harris and Garland 2009, Green, McColl and Bader 2012";
  static constexpr machine_kinds kinds{.pram = 2, .bpram = 2, .dmm = 2, .umm = 2, .hmm = 5};
  using problem = merge_sort_problem<false>;
};
//! The algorithm object behind mmm::merge_sort_pairs.
struct merge_sort_pairs_algorithm : pairs_call<merge_sort_pairs_algorithm> {
  static constexpr char const* name = "merge-sort-pairs";
  static constexpr char const* paper = merge_sort_algorithm::paper;
  static constexpr machine_kinds kinds = merge_sort_algorithm::kinds;
  using problem = merge_sort_problem<true>;
};

}  // namespace detail

//! Sorts the n words [first, last) in place by merging: `mmm::merge_sort(on, first, last, before)`.
//! `before(x, y)` is true where x has to stand before y, a strict weak order; without it the order
//! is `x < y`. Stable: equal words remain in their order. In one memory, runs are merged from array
//! to array, with n more words. On an HMM, tiles of 15 words for each thread of a DMM are sorted
//! and merged in the shared memories, with n more words where there are two tiles or more; with t
//! threads per DMM they take 15 t + 16 words of a shared memory.
//! Errors: std::length_error if a shared memory is too small; std::invalid_argument for a kernel's
//! blocks of more than 512 threads, 256 for words of more than 8 bytes, or of a number that is not
//! a multiple of w, and from mmm::cost_of without a mmm::scatter: `mmm::cost_of<M>(mmm::merge_sort,
//! mmm::size(n), mmm::threads(p), mmm::scatter::contiguous)`.
//! Time: depends on the words, by the conflicts of the reads whose addresses do; a simulation
//! computes it for given words. mmm::cost_of is never more than the time with
//! mmm::scatter::contiguous, and never less with mmm::scatter::conflicting, and the rounds are the
//! same for all words. At most `4 U` in one memory and `10 U` on an HMM, half of that where p is a
//! multiple of w and n of p, where U is mmm::upper_bound. With e words for each thread, 1 on a UMM
//! and 7 in any other memory, U is `(log(n/e) + 1) (log n + e) (n/e + nl/(ep) + l)`;
//! docs/algorithms.md has U on an HMM.
//! Source: Green, McColl and Bader 2012; in tiles Satish, Harris and Garland 2009.
inline constexpr detail::merge_sort_algorithm merge_sort{};

//! Sorts the n keys [first, last) in place as mmm::merge_sort, and with them their values, from
//! `values` on: `mmm::merge_sort_pairs(on, first, last, values, before)`. Stable: values of equal
//! keys remain in their order. Errors: std::invalid_argument if keys and values overlap; otherwise
//! those of mmm::merge_sort, where the bytes are those of a key and its value.
inline constexpr detail::merge_sort_pairs_algorithm merge_sort_pairs{};

}  // namespace mmm
MMM_BODIES_END
