// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/fast/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/paper/prefix_sums.hpp>
#include <mmm/algorithm/paper/radix_sort.hpp>
#include <mmm/algorithm/paper/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>

#include <cstdint>
#include <type_traits>

//! One pass of a sort by digits on an HMM: tiles are sorted in the shared memories, and go to their
//! places in runs of equal digits.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! A key that no other one of its type stands behind.
template <class Key, class Order>
[[nodiscard]] MMM_HOST_DEVICE constexpr Key last_of_all() {
  using bits = typename bits_of_size<sizeof(Key)>::type;
  constexpr auto all = static_cast<bits>(~bits{0});
  constexpr auto sign = static_cast<bits>(bits{1} << (8 * sizeof(Key) - 1));
  constexpr bool descending = !std::is_same_v<Order, ascending>;
  constexpr bits largest =
      std::is_floating_point_v<Key> || std::is_signed_v<Key> ? static_cast<bits>(all ^ sign) : all;
  constexpr bits least = std::is_floating_point_v<Key> ? all : static_cast<bits>(all ^ largest);
  return __builtin_bit_cast(Key, descending ? least : largest);
}

//! Two counts of 16 bits in a word: those of digits d and d + Rows, for d below Rows.
template <int Rows>
struct pair_of_counts {
  //! The first word of a digit's row of t words.
  struct row_of {
    MMM_HOST_DEVICE constexpr std::int32_t operator()(std::int32_t digit, std::int32_t t) const {
      return digit % Rows * t;
    }
  };
  struct count_of {
    MMM_HOST_DEVICE constexpr std::int32_t operator()(std::uint32_t word,
                                                      std::int32_t digit) const {
      return static_cast<std::int32_t>(digit < Rows ? word & 0xffffU : word >> 16);
    }
  };
  //! One more of a digit.
  struct increment {
    MMM_HOST_DEVICE constexpr std::uint32_t operator()(std::uint32_t word,
                                                       std::int32_t digit) const {
      return word + (digit < Rows ? 1U : 0x10000U);
    }
  };
  //! Of the totals of both halves, what is before a digit's half.
  struct before_half {
    MMM_HOST_DEVICE constexpr std::int32_t operator()(std::uint32_t totals,
                                                      std::int32_t digit) const {
      return digit < Rows ? 0 : static_cast<std::int32_t>(totals & 0xffffU);
    }
  };
};

}  // namespace detail

//! One pass of the sort: the n keys of `in`, and the values of `of_in`, to `out` and `of_out`,
//! ordered by a digit of 8 bits, and those of equal digits as before. A tile has `Each` keys for
//! each of the t threads of a DMM.
//!
//! First every tile is sorted in a shared memory, by the lower and then by the upper half of the
//! digit. A thread counts the halves of `Each` neighbouring keys in a column of counters of its
//! own, two in a word, so that where w divides t no access to them has a bank conflict, whatever
//! the keys are; nor has reading neighbours, as `Each` is odd. The prefix-sums of the counters,
//! half by half, are the places of the keys in the tile, and only moving them there has bank
//! conflicts that depend on keys. The last tile is filled up with keys that stay behind all others.
//! The sorted tile goes back to `in`, and the numbers of its digits to a table, of which the
//! prefix-sums are computed. Then every tile goes to `out`, in 256 runs at most.
//! Needs `(Each + 8) t` words of shared memory, about; a tile has 65535 keys at most.
template <index Each = 15, class Order = ascending>
struct radix_pass {
  static_assert(Each % 2 == 1, "mmm: an even number of keys for each thread conflicts on banks");
  static constexpr index bits = 8;
  static constexpr index digits = index{1} << bits;
  static constexpr index half_bits = bits / 2;
  static constexpr index halves = index{1} << half_bits;
  static constexpr index rows = halves / 2;  //!< of counters, each with a word for every thread
  using tile_scan = wide_scan<4, plus>;
  using counts_of = detail::pair_of_counts<static_cast<int>(rows)>;
  int shift;

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index tiles_of(index n, index t) {
    return detail::ceil_divide(n, Each * t);
  }

  //! Words of 4 bytes of a DMM's shared memory that a tile needs with t threads.
  template <class Key, class Values>
  [[nodiscard]] static constexpr index shared_words(index t) {
    index bytes = sizeof(Key);
    if constexpr (detail::has_values<Values>) bytes += sizeof(typename Values::value_type);
    return detail::ceil_divide(Each * t * bytes, 4) + rows * t + tile_scan::room(t) + 4 * digits +
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
      block.each_thread([=](auto i) {
        unroll<Each>([&](index q) {
          auto const own = q * t + i;
          auto const from = k * (Each * t) + own;
          auto const exists = from < n;
          auto const key = load_if(exists, in[from], typename In::value_type{});
          auto const to =
              as_index(load_if(exists, base[self.template digit_of<bits>(key, 0)], index{0})) + own;
          store_if(exists, out[to], key);
          if constexpr (detail::has_values<OfIn>)
            store_if(exists, of_out[to], load_if(exists, of_in[from], typename OfIn::value_type{}));
        });
      });
    });
  }

 private:
  //! `Bits` bits of a key's digit, from bit `first` on.
  template <index Bits, class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto digit_of(Key const& x, int first) const {
    return as_index(digit_in<Bits>(x, first));
  }
  template <index Bits, class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto digit_in(Key const& x, int first) const {
    return apply(detail::digit_at<Bits, Order>{}, x, shift + first);
  }

  template <class Block, class Tile, class In, class OfIn, class Counts>
  MMM_HOST_DEVICE constexpr void sort_tile(Block& block, Tile k, index tiles, index n, In in,
                                           OfIn of_in, Counts counts, Counts starts) const {
    using key = typename In::value_type;
    index const t = block.threads();
    auto const first = k * (Each * t);
    auto const s = block.template allocate<key>(Each * t);
    auto const counters = block.template allocate<std::uint32_t>(rows * t);
    auto const totals = block.template allocate<std::uint32_t>(tile_scan::room(groups_of(block)));
    auto const begin = block.template allocate<index>(digits);
    auto const end = block.template allocate<index>(digits);
    auto const ranks = block.template registers<std::int32_t, Each>();
    auto const x = block.template registers<key, Each>();
    bring(block, first, n, in, s, x, detail::last_of_all<key, Order>());
    if constexpr (detail::has_values<OfIn>) {
      using value = typename OfIn::value_type;
      auto const v = block.template allocate<value>(Each * t);
      auto const y = block.template registers<value, Each>();
      bring(block, first, n, of_in, v, y, value{});
      for (int half = 0; half < bits; half += half_bits) {
        rank(block, half, s, counters, totals, x, ranks);
        move(block, x, ranks, s);
        take(block, v, y);  // after the keys have left their registers
        move(block, y, ranks, v);
      }
      bring_back(block, first, n, v, of_in);
    } else {
      for (int half = 0; half < bits; half += half_bits) {
        rank(block, half, s, counters, totals, x, ranks);
        move(block, x, ranks, s);
      }
    }
    bring_back(block, first, n, s, in);
    find_digits(block, first, n, s, x, begin, end);
    block.each(digits, [=](auto d) {
      auto const start = load(begin[d]);
      counts[d * tiles + k] = load(end[d]) - start;
      starts[k * digits + d] = start;
    });
  }
  template <class Block>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index groups_of(Block const& block) {
    return detail::ceil_divide(block.threads(), block.lanes());
  }
  //! The words of a tile to a shared memory, with `filling` in place of those that are missing; all
  //! of a thread are on their way at once.
  template <class Block, class First, class From, class To, class Registers, class Filling>
  MMM_HOST_DEVICE static constexpr void bring(Block& block, First first, index n, From from, To to,
                                              Registers x, Filling filling) {
    index const t = block.threads();
    block.each_thread([=](auto i) {
      unroll<Each>([&](index q) {
        auto const at = first + q * t + i;
        x(i, q) = load_if(at < n, from[at], filling);
      });
      unroll<Each>([&](index q) { to[q * t + i] = load(x(i, q)); });
    });
  }
  //! The words of a tile that exist from a shared memory.
  template <class Block, class First, class From, class To>
  MMM_HOST_DEVICE static constexpr void bring_back(Block& block, First first, index n, From from,
                                                   To to) {
    index const t = block.threads();
    block.each_thread([=](auto i) {
      unroll<Each>([&](index q) {
        auto const at = first + q * t + i;
        store_if(at < n, to[at], load(from[q * t + i]));
      });
    });
  }
  //! `Each` neighbouring words for each thread.
  template <class Block, class From, class Registers>
  MMM_HOST_DEVICE static constexpr void take(Block& block, From from, Registers x) {
    block.each_thread(
        [=](auto i) { unroll<Each>([&](index q) { x(i, q) = load(from[i * Each + q]); }); });
  }
  //! Every thread's words to their places in the tile.
  template <class Block, class Registers, class Ranks, class To>
  MMM_HOST_DEVICE static constexpr void move(Block& block, Registers x, Ranks ranks, To to) {
    block.each_thread([=](auto i) {
      unroll<Each>([&](index q) { to[as_index(load(ranks(i, q)))] = load(x(i, q)); });
    });
  }
  //! Every thread's keys, and their places in the tile in the order of half a digit.
  template <class Block, class Keys, class Counters, class Totals, class Registers, class Ranks>
  MMM_HOST_DEVICE constexpr void rank(Block& block, int half, Keys s, Counters counters,
                                      Totals totals, Registers x, Ranks ranks) const {
    auto const self = *this;
    index const t = block.threads();
    auto const column = [=](auto const& digit, auto const& i) {
      return as_index(apply(typename counts_of::row_of{}, digit, static_cast<std::int32_t>(t))) + i;
    };
    block.each(
        rows * t / 4,
        [=](auto i) {
          wide<4>(counters)[i] = make_vec<4>([&](index) { return std::uint32_t{0}; });
        },
        no_barrier);
    take(block, s, x);
    // the thread's keys before each with the same half
    block.each_thread([=](auto i) {
      unroll<Each>([&](index q) {
        auto const digit = self.template digit_in<half_bits>(load(x(i, q)), half);
        auto const at = column(digit, i);
        auto const found = load(counters[at]);
        ranks(i, q) = apply(typename counts_of::count_of{}, found, digit);
        counters[at] = apply(typename counts_of::increment{}, found, digit);
      });
    });
    scan_counters(block, counters, totals);
    index const last = groups_of(block) - 1;
    block.each_thread([=](auto i) {
      auto const all = load(totals[last + 0 * i]);
      unroll<Each>([&](index q) {
        auto const digit = self.template digit_in<half_bits>(load(x(i, q)), half);
        auto const before =
            apply(typename counts_of::count_of{}, load(counters[column(digit, i)]), digit);
        ranks(i, q) =
            before + apply(typename counts_of::before_half{}, all, digit) + load(ranks(i, q));
      });
    });
  }
  //! What is before each counter, in its place; `totals` of the groups of lanes up to each.
  template <class Block, class Counters, class Totals>
  MMM_HOST_DEVICE static constexpr void scan_counters(Block& block, Counters counters,
                                                      Totals totals) {
    index const t = block.threads();
    index const lanes = block.lanes();
    index const groups = groups_of(block);
    constexpr index vecs = rows / 4;  // of a thread
    auto const upto = block.template registers<std::uint32_t>();
    auto const before = block.template registers<std::uint32_t>();
    block.each_thread(
        [=](auto i) {
          upto[i] = std::uint32_t{0};
          unroll<vecs>([&](index k) {
            auto const sums = detail::scanned(plus{}, load(wide<4>(counters)[i * vecs + k]));
            upto[i] = load(upto[i]) + sums[3];
          });
        },
        no_barrier);
    block.scan_lanes(upto, before, plus{});
    block.each_thread(
        [=](auto i) {
          store_if(i % lanes == lanes - 1 || i == t - 1, totals[i / lanes], load(upto[i]));
        },
        no_barrier);
    block.each(tile_scan::filled(groups) - groups,
               [=](auto i) { totals[groups + i] = std::uint32_t{0}; });
    tile_scan{}(block, totals, groups);
    block.each_thread([=](auto i) {
      // a group's first lane has 0 before it
      upto[i] = load_if(i >= lanes, totals[i / lanes - 1], std::uint32_t{0}) + load(before[i]);
      unroll<vecs>([&](index k) {
        auto const sums = detail::scanned(plus{}, load(wide<4>(counters)[i * vecs + k]));
        auto const others = load(upto[i]);
        wide<4>(counters)[i * vecs + k] = make_vec<4>(
            [&](index j) { return j == 0 ? others : apply(plus{}, others, sums[j - 1]); });
        upto[i] = others + sums[3];
      });
    });
  }
  //! The places in a sorted tile where each digit begins and ends, 0 and 0 for none; words after
  //! the last one that exists are not counted.
  template <class Block, class First, class Keys, class Registers, class Places>
  MMM_HOST_DEVICE constexpr void find_digits(Block& block, First first, index n, Keys s,
                                             Registers x, Places begin, Places end) const {
    auto const self = *this;
    block.each(
        digits,
        [=](auto d) {
          begin[d] = 0 * d;
          end[d] = 0 * d;
        },
        no_barrier);
    take(block, s, x);
    block.each_thread([=](auto i) {
      auto const own = i * Each;
      auto const of_key = [&](auto const& key) { return self.template digit_of<bits>(key, 0); };
      auto const before_own = load_if(i > 0, s[own - 1], typename Keys::value_type{});
      unroll<Each>([&](auto q) {
        constexpr index k = decltype(q)::value;
        auto const at = own + k;
        auto const digit = of_key(load(x(i, k)));
        auto const before = [&] {
          if constexpr (k == 0)
            return of_key(before_own);
          else
            return of_key(load(x(i, k - 1)));
        }();
        auto const exists = first + at < n;
        auto const differs = exists && at > 0 && digit != before;
        store_if(differs, begin[digit], at);
        store_if(differs, end[before], at);
        store_if(exists && (first + at == n - 1 || at == Each * block.threads() - 1), end[digit],
                 at + 1);
      });
    });
  }
};

}  // namespace mmm
MMM_BODIES_END
