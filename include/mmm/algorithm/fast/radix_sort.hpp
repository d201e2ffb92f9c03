// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call_check.hpp>
#include <mmm/algorithm/fast/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/paper/prefix_sums.hpp>
#include <mmm/algorithm/paper/radix_sort.hpp>
#include <mmm/algorithm/paper/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! Sorting numbers by their digits on an HMM, from the least significant digit on. Where the words
//! go depends on the data, and so does the cost: mmm::simulate has it for given data, and
//! mmm::upper_bound for all.
MMM_BODIES_BEGIN
namespace mmm {
//! One pass of the sort: the n keys of `in`, and the values of `of_in`, to `out` and `of_out`,
//! ordered by a digit of 8 bits, and those of equal digits as before. A tile has `Each` keys for
//! each of the t threads of a DMM.
//!
//! First every tile is sorted in a shared memory, by the lower and then by the upper half of the
//! digit. A thread counts the halves of `Each` neighbouring keys in a column of counters of its
//! own, so that where w divides t no access to them has a bank conflict, whatever the keys are; nor
//! has reading neighbours, as `Each` is odd. The prefix-sums of the counters, half by half, are the
//! places of the keys in the tile, and only moving them there has bank conflicts that depend on
//! keys. The sorted tile goes back to `in`, and the numbers of its digits to a table, of which the
//! prefix-sums are computed. Then every tile goes to `out`, in 256 runs at most.
//! Needs `Each t` words and 16 t 4/3 counters of shared memory, about.
template <index Each = 15, class Order = ascending>
struct radix_pass {
  static_assert(Each % 2 == 1, "mmm: an even number of keys for each thread conflicts on banks");
  static constexpr index bits = 8;
  static constexpr index digits = index{1} << bits;
  static constexpr index half_bits = bits / 2;
  static constexpr index halves = index{1} << half_bits;
  using tile_scan = wide_scan<4, plus>;
  int shift;

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index tiles_of(index n, index t) {
    return detail::ceil_divide(n, Each * t);
  }

  //! Words of 4 bytes of a DMM's shared memory that a tile needs with t threads.
  template <class Key, class Values>
  [[nodiscard]] static constexpr index shared_words(index t) {
    index bytes = sizeof(Key);
    if constexpr (detail::has_values<Values>) bytes += sizeof(typename Values::value_type);
    return detail::ceil_divide(Each * t * bytes, 4) + tile_scan::room(halves * t + 1) + 4 * digits +
           128;  // arrays begin at multiples of the width
  }

  //! `counts` and `starts` have `digits` words for each tile.
  template <class Machine, class In, class Out, class OfIn, class OfOut, class Counts>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, index n, In in, Out out, OfIn of_in,
                                            OfOut of_out, Counts counts, Counts starts) const {
    auto const self = *this;
    index const t = on.threads_per_dmm();
    index const tiles = tiles_of(n, t);
    on.each_tile(0, tiles, [=](auto& block, auto k) {
      self.sort_tile(block, k, tiles, n, in, of_in, counts, starts);
    });
    detail::scan_program<plus, false>{}(on, counts, digits * tiles);
    on.each_tile(0, tiles, [=](auto& block, auto k) {
      // where the tile's first key of each digit goes, less its place in the tile
      auto const base = block.template allocate<index>(digits);
      block.each(digits, [=](auto d) {
        auto const place = d * tiles + k;
        base[d] = load_if(place > 0, counts[place - 1], index{0}) - load(starts[k * digits + d]);
      });
      block.each(Each * t, [=](auto i) {
        auto const from = k * (Each * t) + i;
        auto const exists = from < n;
        auto const key = load_if(exists, in[from], typename In::value_type{});
        auto const to =
            as_index(load_if(exists, base[self.template digit_of<bits>(key, 0)], index{0})) + i;
        store_if(exists, out[to], key);
        if constexpr (detail::has_values<OfIn>)
          store_if(exists, of_out[to], load_if(exists, of_in[from], typename OfIn::value_type{}));
      });
    });
  }

 private:
  //! `Bits` bits of a key's digit, from bit `first` on.
  template <index Bits, class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto digit_of(Key const& x, int first) const {
    return as_index(apply(detail::digit_at<Bits, Order>{}, x, shift + first));
  }

  template <class Block, class Tile, class In, class OfIn, class Counts>
  MMM_HOST_DEVICE constexpr void sort_tile(Block& block, Tile k, index tiles, index n, In in,
                                           OfIn of_in, Counts counts, Counts starts) const {
    using key = typename In::value_type;
    index const t = block.threads();
    auto const first = k * (Each * t);
    auto const s = block.template allocate<key>(Each * t);
    auto const counters = block.template allocate<std::int32_t>(tile_scan::room(halves * t + 1));
    auto const begin = block.template allocate<index>(digits);
    auto const end = block.template allocate<index>(digits);
    auto const ranks = block.template registers<std::int32_t, Each>();
    auto const x = block.template registers<key, Each>();
    copy(block, first, n, in, first, s, 0);
    if constexpr (detail::has_values<OfIn>) {
      using value = typename OfIn::value_type;
      auto const v = block.template allocate<value>(Each * t);
      auto const y = block.template registers<value, Each>();
      copy(block, first, n, of_in, first, v, 0);
      for (int half = 0; half < bits; half += half_bits) {
        rank(block, half, first, n, s, counters, x, ranks);
        take(block, first, n, v, y);
        move(block, first, n, x, ranks, s);
        move(block, first, n, y, ranks, v);
      }
      copy(block, first, n, v, 0, of_in, first);
    } else {
      for (int half = 0; half < bits; half += half_bits) {
        rank(block, half, first, n, s, counters, x, ranks);
        move(block, first, n, x, ranks, s);
      }
    }
    copy(block, first, n, s, 0, in, first);
    find_digits(block, first, n, s, begin, end);
    block.each(digits, [=](auto d) {
      auto const start = load(begin[d]);
      counts[d * tiles + k] = load(end[d]) - start;
      starts[k * digits + d] = start;
    });
  }
  //! The words of a tile, those that exist.
  template <class Block, class First, class From, class At, class To, class Place>
  MMM_HOST_DEVICE static constexpr void copy(Block& block, First first, index n, From from, At at,
                                             To to, Place place) {
    block.each(Each * block.threads(), [=](auto i) {
      auto const exists = first + i < n;
      store_if(exists, to[place + i], load_if(exists, from[at + i], typename From::value_type{}));
    });
  }
  //! `Each` neighbouring words for each thread.
  template <class Block, class First, class From, class Registers>
  MMM_HOST_DEVICE static constexpr void take(Block& block, First first, index n, From from,
                                             Registers x) {
    block.each(block.threads(), [=](auto i) {
      auto const own = i * Each;
      unroll<Each>([&](index q) {
        x(i, q) = load_if(first + own + q < n, from[own + q], typename From::value_type{});
      });
    });
  }
  //! Every thread's words to their places in the tile.
  template <class Block, class First, class Registers, class Ranks, class To>
  MMM_HOST_DEVICE static constexpr void move(Block& block, First first, index n, Registers x,
                                             Ranks ranks, To to) {
    block.each(block.threads(), [=](auto i) {
      auto const own = first + i * Each;
      unroll<Each>(
          [&](index q) { store_if(own + q < n, to[as_index(load(ranks(i, q)))], load(x(i, q))); });
    });
  }
  //! Every thread's keys, and their places in the tile in the order of half a digit.
  template <class Block, class First, class Keys, class Counters, class Registers, class Ranks>
  MMM_HOST_DEVICE constexpr void rank(Block& block, int half, First first, index n, Keys s,
                                      Counters counters, Registers x, Ranks ranks) const {
    auto const self = *this;
    index const t = block.threads();
    take(block, first, n, s, x);
    block.each(tile_scan::filled(halves * t + 1) / 4, [=](auto i) {
      wide<4>(counters)[i] = make_vec<4>([&](index) { return std::int32_t{0}; });
    });
    // the thread's keys before each with the same half
    block.each(t, [=](auto i) {
      auto const own = first + i * Each;
      unroll<Each>([&](index q) {
        auto const exists = own + q < n;
        auto const column = self.template digit_of<half_bits>(load(x(i, q)), half) * t + i + 1;
        auto const found = load_if(exists, counters[column], std::int32_t{0});
        ranks(i, q) = found;
        store_if(exists, counters[column], found + 1);
      });
    });
    tile_scan{}(block, counters, halves * t + 1);
    block.each(t, [=](auto i) {
      auto const own = first + i * Each;
      unroll<Each>([&](index q) {
        auto const column = self.template digit_of<half_bits>(load(x(i, q)), half) * t + i;
        ranks(i, q) = load_if(own + q < n, counters[column], std::int32_t{0}) + load(ranks(i, q));
      });
    });
  }
  //! The places in a sorted tile where each digit begins and ends, 0 and 0 for none.
  template <class Block, class First, class Keys, class Places>
  MMM_HOST_DEVICE constexpr void find_digits(Block& block, First first, index n, Keys s,
                                             Places begin, Places end) const {
    auto const self = *this;
    index const words = Each * block.threads();
    block.each(digits, [=](auto d) {
      begin[d] = 0 * d;
      end[d] = 0 * d;
    });
    block.each(words, [=](auto i) {
      using key = typename Keys::value_type;
      auto const exists = first + i < n;
      auto const follows = exists && i > 0;
      auto const own = self.template digit_of<bits>(load_if(exists, s[i], key{}), 0);
      auto const before = self.template digit_of<bits>(load_if(follows, s[i - 1], key{}), 0);
      store_if(exists && (i == 0 || own != before), begin[own], i);
      store_if(follows && own != before, end[before], i);
      store_if(exists && (i == words - 1 || first + i == n - 1), end[own], i + 1);
    });
  }
};

namespace detail {

//! Keys for each thread of a tile: fewer where a key and its value are more than 8 bytes.
[[nodiscard]] MMM_HOST_DEVICE constexpr index keys_each(index bytes) { return bytes <= 8 ? 15 : 7; }
template <class Key, class Values>
inline constexpr index keys_of_thread =
    keys_each(sizeof(Key) + (has_values<Values> ? sizeof(typename Values::value_type) : 0));

//! Sorts n keys in place, and their values with them: a pass for each digit, to another array and
//! back.
template <class Order>
struct radix_sort_program {
  template <class On, class Keys, class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Keys keys, Values values = {}) const {
    if (n <= 1) return;
    using key = typename Keys::value_type;
    using pass = radix_pass<keys_of_thread<key, Values>, Order>;
    auto const others = on.template allocate<key>(n);
    auto const other_values = [&] {
      if constexpr (has_values<Values>)
        return on.template allocate<typename Values::value_type>(n);
      else
        return Values{};
    }();
    index const words = pass::digits * pass::tiles_of(n, on.threads_per_dmm());
    auto const counts = on.template allocate<index>(words);
    auto const starts = on.template allocate<index>(words);
    // keys of one byte are brought back by a pass of no digit
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(key)); shift += 16) {
      pass{shift}(on, n, keys, others, values, other_values, counts, starts);
      pass{shift + 8}(on, n, others, keys, other_values, values, counts, starts);
    }
  }
};

//! The problem of sorting n numbers by their digits, each with a value if `Pairs`; values are of 4
//! bytes.
template <bool Pairs>
struct radix_sort_problem {
  static constexpr index sequences = Pairs ? 2 : 1;
  natural n;
  index bits;
  scatter places;
  constexpr explicit radix_sort_problem(size words, key_bits of = key_bits(32),
                                        scatter s = scatter::unknown)
      : n(words.count), bits(of.count), places(s) {}
  constexpr radix_sort_problem(size words, scatter s)
      : radix_sort_problem(words, key_bits(32), s) {}

  template <class On, class Keys = no_data, class Values = no_data, class Order = ascending>
  constexpr void run(On& on, Keys keys = {}, Values values = {}, Order = {}) const {
    constexpr bool of_data = !std::is_same_v<Keys, no_data>;
    auto const start = [&](auto const& program) {
      if constexpr (Pairs)
        perform(on, program, n.count, updates(keys, n), updates(values, n));
      else
        perform(on, program, n.count, updates(keys, n));
    };
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      static_assert(of_data,
                    "mmm: the cost of a radix sort on a hierarchical machine depends on its keys: "
                    "mmm::simulate has it for given ones, mmm::upper_bound for all");
      start(radix_sort_program<Order>{});
    } else if constexpr (of_data) {
      start(section_sort_program<Order>{bits});
    } else {
      if (places == scatter::unknown)
        throw_invalid_argument(failure_text(
            "mmm: the cost of a radix sort depends on its keys: write mmm::scatter::contiguous or "
            "mmm::scatter::conflicting after the threads, or mmm::simulate it on data"));
      if (places == scatter::contiguous)
        start(section_sort_program<Order, scatter_contiguous>{bits});
      else
        start(section_sort_program<Order, scatter_conflicting>{bits});
    }
  }

  //! Every word is read, and written where no key is in its place at first; the first word becomes
  //! the least of all, as in a fold. Keys are not compared.
  [[nodiscard]] constexpr bound lower_bound(machine_terms const& m) const {
    if (n <= 1) return {};
    bound b = fold_bound(m, n, m.p);
    bound const once = access_bound(m, 2 * n * sequences, m.p);
    b.bandwidth = once.bandwidth;
    b.latency = larger(natural(b.latency), once.latency);
    b.speed_up = once.speed_up;
    return b;
  }
  //! For all data. In one memory, with s = n or p sections, whichever is less, and b bits:
  //! `b/4 (n + nl/p + l + 16 (s/w + l) + U(prefix-sums of 16 s))`; a PRAM has `n/p` and a BPRAM
  //! `n/w` for n.
  //!
  //! On an HMM, of a pass over 8 bits: the global memory serves all words, 256 runs of each tile and
  //! the prefix-sums of c = 256 n/(15 t) counters; the shared memories serve all words one by one,
  //! as where all words of a warp go to one bank. n' is n filled up to tiles for all DMMs:
  //! `n/w + n'L/p + L + c + U(prefix-sums of c) + n'/d + n'l/p + l log t`.
  [[nodiscard]] constexpr natural upper_bound(machine_terms const& m) const {
    if (n <= 1) return 0;
    auto const scan = [&m](natural counters) {
      return prefix_sums_algorithm<false>::problem(size(counters)).upper_bound(m);
    };
    if (!m.hmm) {
      natural const s = smaller(n, m.p);
      natural const at_once = m.conflicts == conflict::none     ? m.p
                              : m.conflicts == conflict::amount ? m.w
                                                                : natural(1);
      natural const words = n / at_once + n * m.l / m.p + m.l;
      natural const of_counts = section_pass<ascending>::digits * (s / m.w + m.l);
      return bits / section_pass<ascending>::bits *
             (words * sequences + of_counts + scan(section_pass<ascending>::digits * s));
    }
    index const of_thread = keys_each(bits / 8 + (Pairs ? 4 : 0));
    natural const filled = n / (of_thread * m.p) * (of_thread * m.p);
    natural const counters = n / (of_thread * m.t) * radix_pass<>::digits;
    natural const of_global = n / m.w + filled * m.L / m.p + m.L + counters;
    natural const of_shared = filled / m.d + filled * m.l / m.p + m.l * log2(m.t);
    return bits / radix_pass<>::bits * ((of_global + of_shared) * sequences + scan(counters));
  }
};

//! The algorithm object behind mmm::radix_sort.
struct radix_sort_algorithm {
  static constexpr char const* name = "radix-sort";
  static constexpr char const* paper = "Satish, Harris and Garland 2009";
  static constexpr machine_kinds kinds{.pram = 4, .bpram = 6, .dmm = 6, .umm = 6, .hmm = 16};
  using problem = radix_sort_problem<false>;

  template <class On, class Keys, class Order = ascending>
  void operator()(On on, Keys first, Keys last, Order order = {}) const {
    static_assert(call_of<On, Keys>::accepted);
    constexpr index bits = 8 * sizeof(iterator_value_t<Keys>);
    problem(size(last - first), key_bits(bits)).run(on, first, no_data{}, order);
  }
};
//! The algorithm object behind mmm::radix_sort_pairs.
struct radix_sort_pairs_algorithm {
  static constexpr char const* name = "radix-sort-pairs";
  static constexpr char const* paper = radix_sort_algorithm::paper;
  static constexpr machine_kinds kinds = radix_sort_algorithm::kinds;
  using problem = radix_sort_problem<true>;

  template <class On, class Keys, class Values, class Order = ascending>
  void operator()(On on, Keys first, Keys last, Values values, Order order = {}) const {
    static_assert(call_of<On, Keys, Values>::accepted);
    index const n = last - first;
    overlap_check<Keys, Values>::reject(first, n, values, n);
    constexpr index bits = 8 * sizeof(iterator_value_t<Keys>);
    problem(size(n), key_bits(bits)).run(on, first, values, order);
  }
};

}  // namespace detail

//! Sorts the n numbers [first, last) in place: `mmm::radix_sort(on, first, last)`, or with
//! mmm::descending{}. Stable. Integers of any sign and floating-point numbers: -0 stands before 0,
//! NaNs at the ends. In one memory by 4 bits at a time, with n more words and 16 for each thread;
//! on an HMM by 8 bits, with n more words, and in a shared memory, with t threads for each DMM,
//! 37 t words of 4 bytes, about.
//! Errors: std::length_error if a shared memory is too small; std::invalid_argument from
//! mmm::cost_of without a mmm::scatter:
//! `mmm::cost_of<M>(mmm::radix_sort, mmm::size(n), mmm::threads(p), mmm::scatter::contiguous)`, or
//! with mmm::key_bits(b) before it for other keys than those of 4 bytes.
//! Time: depends on the keys, and a simulation has it for given ones; whatever the keys are, at
//! most `6 U` in one memory and `16 U` on an HMM, where U is mmm::upper_bound. In one memory all is
//! known but the places that each pass moves keys and values to: mmm::cost_of is never more than
//! the time with mmm::scatter::contiguous, and never less with mmm::scatter::conflicting.
//! Source: Satish, Harris and Garland 2009.
inline constexpr detail::radix_sort_algorithm radix_sort{};

//! Sorts n numbers as mmm::radix_sort, and with them their values, from `values` on:
//! `mmm::radix_sort_pairs(on, first, last, values)`. Stable: values of equal keys stay in their
//! order. Errors: std::invalid_argument if keys and values overlap; else those of mmm::radix_sort.
inline constexpr detail::radix_sort_pairs_algorithm radix_sort_pairs{};

}  // namespace mmm
MMM_BODIES_END
