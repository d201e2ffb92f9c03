// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/radix_sort_in_one_memory.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>
#include <type_traits>

//! One pass of a radix sort on an HMM: every word is read once and written once, since tiles
//! publish their numbers of keys for each digit.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

template <class Key>
using key_bits_of = typename bits_of_size<sizeof(Key)>::type;

//! Converts a key to bits whose order as unsigned integers is that of a sort.
template <class Order>
struct to_bits {
  static_assert(std::is_same_v<Order, ascending> || std::is_same_v<Order, descending>,
                "mmm: a radix sort is ascending or descending; mmm::sort takes any order");
  template <class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr key_bits_of<Key> operator()(Key const& x, int) const {
    auto const bits = ordered_bits(x);
    return static_cast<key_bits_of<Key>>(std::is_same_v<Order, descending> ? ~bits : bits);
  }
};
//! Converts such bits back to the key.
template <class Key, class Order>
struct from_bits {
  using bits = key_bits_of<Key>;
  [[nodiscard]] MMM_HOST_DEVICE constexpr Key operator()(bits const& x, int) const {
    constexpr auto sign = static_cast<bits>(bits{1} << (8 * sizeof(Key) - 1));
    auto const own = static_cast<bits>(std::is_same_v<Order, descending> ? ~x : x);
    if constexpr (std::is_floating_point_v<Key>)
      return __builtin_bit_cast(Key, static_cast<bits>((own & sign) != 0 ? own ^ sign : ~own));
    else if constexpr (std::is_signed_v<Key>)
      return __builtin_bit_cast(Key, static_cast<bits>(own ^ sign));
    else
      return own;
  }
};
//! Extracts `Bits` bits from bits of a key, from bit `shift` on.
template <index Bits>
struct digit_in_bits {
  template <class Number>
  [[nodiscard]] MMM_HOST_DEVICE constexpr std::uint32_t operator()(Number const& x,
                                                                   int shift) const {
    return static_cast<std::uint32_t>(x >> shift) & ((std::uint32_t{1} << Bits) - 1);
  }
};

//! Replaces each of the 256 numbers `s[0 … 255]` of a shared memory by the sum of the numbers
//! before it, by the threads of one group of lanes, or by one thread if there are fewer; a barrier
//! follows.
//! Time, for L lanes: 3 accesses of L items to four words each, 64/L times.
template <class Block, class Numbers>
MMM_HOST_DEVICE constexpr void scan_digits(Block& block, Numbers s) {
  using number = typename Numbers::value_type;
  // a kernel's groups are whole, and their number of lanes is a constant
  index const scanning = Block::refuses && block.threads() < block.lanes() ? 1 : block.lanes();
  index const own = 256 / 4 / scanning;  // vecs per thread
  auto const upto = block.template registers<number>();
  auto const before = block.template registers<number>();
  block.each_thread([=](auto i) { upto[i] = number{}; }, no_barrier);
  block.repeat(own, [=, &block](auto k) MMM_INLINED {
    block.each(
        scanning,
        [=](auto i) {
          auto const x = load(wide<4>(s)[i * own + k]);
          upto[i] = load(upto[i]) + x[0] + x[1] + x[2] + x[3];
        },
        no_barrier);
  });
  block.scan_lanes(upto, before, plus{});
  block.repeat(own, [=, &block](auto k) MMM_INLINED {
    block.each(
        scanning,
        [=](auto i) {
          auto const x = load(wide<4>(s)[i * own + k]);
          auto const a = load(before[i]);
          auto const b = a + x[0];
          auto const c = b + x[1];
          auto const d = c + x[2];
          wide<4>(s)[i * own + k] = make_vec<4>([&](index j) {
            return j == 0 ? a : j == 1 ? b : j == 2 ? c : d;
          });
          before[i] = d + x[3];
        },
        no_barrier);
  });
  block.each(0, any_body{});  // a barrier
}

//! A tile all of whose places have a key: accesses without a condition.
struct whole_tile {
  template <class Place, class Word, class Otherwise>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto get(Place const&, Word&& word,
                                                   Otherwise const&) const {
    return load(static_cast<Word&&>(word));
  }
  template <class Place, class Word, class X>
  MMM_HOST_DEVICE constexpr void put(Place const&, Word&& word, X const& x) const {
    static_cast<Word&&>(word) = x;
  }
};
//! A tile whose places have a key if `exists(place)`.
template <class Exists>
struct part_of_tile {
  Exists exists;
  template <class Place, class Word, class Otherwise>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto get(Place const& place, Word&& word,
                                                   Otherwise const& otherwise) const {
    return load_if(exists(place), static_cast<Word&&>(word), otherwise);
  }
  template <class Place, class Word, class X>
  MMM_HOST_DEVICE constexpr void put(Place const& place, Word&& word, X const& x) const {
    store_if(exists(place), static_cast<Word&&>(word), x);
  }
};

}  // namespace detail

//! One stable pass: sorts by one 8-bit digit the n keys of `in`, with the values of `of_in`, to
//! `out` and `of_out`. A tile has `Each` keys for each of the t threads of a DMM. A group of lanes
//! has successive keys, so that all its accesses are contiguous.
//!
//! The lanes of a group count their keys' digits in the group's own counters. The sums over the
//! groups are the tile's numbers of keys for each digit, which the tile publishes at once, since
//! the tiles after it wait for them. The prefix-sums of all counters, digit by digit and group by
//! group, replace the counters: counting the digits once more, in order (count_in_order), then
//! gives each key its place in the tile. The keys are moved there in the shared memory and then to
//! `out`, in at most 256 runs: to the place where their digit begins, which all tiles know, plus
//! the number of keys with that digit in all tiles before. The tiles before the last one have all
//! their keys, and check no access.
//! Needs about `Each t + 256 t/lanes + 1024` words of shared memory.
//! Time: an access of all keys and values to the global memory and one back from there, the latter
//! depending on the keys; 768 words for each tile, for the numbers that it publishes. In the shared
//! memories five accesses of all keys, and two of values.
template <index Each = 16, class Order = ascending, class Scatter = detail::scatter_of_data>
struct radix_pass {
  static constexpr index bits = 8;
  static constexpr index digits = index{1} << bits;
  static constexpr bool of_data = std::is_same_v<Scatter, detail::scatter_of_data>;
  int shift;

  //! Number of keys in a tile. The threads in whole groups take part, or all t threads if they are
  //! fewer than a group.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index tile_of(index t, index lanes) {
    return Each * (t >= lanes ? t - t % lanes : t);
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index tiles_of(index n, index t, index lanes) {
    return detail::ceil_divide(n, tile_of(t, lanes));
  }

  //! Number of words of 4 bytes of a DMM's shared memory that a tile needs with t threads.
  template <class Key, class Values>
  [[nodiscard]] static constexpr index shared_words(index t, index lanes) {
    index bytes = sizeof(Key);
    if constexpr (detail::has_values<Values>) bytes += sizeof(typename Values::value_type);
    return detail::ceil_divide(Each * t * bytes, 4) + digits * detail::ceil_divide(t, lanes) +
           4 * digits + 128;  // arrays begin at multiples of the width
  }

  //! \param starts the place where each digit begins in `out`
  //! \param sums the published numbers of this pass, all 0 before it: `digits` for each tile
  //! \param next the published numbers of the next pass, which this pass sets to 0
  template <class Machine, class In, class Out, class OfIn, class OfOut, class Starts, class Sums>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, index n, In in, Out out, OfIn of_in,
                                            OfOut of_out, Starts starts, Sums sums,
                                            Sums next) const {
    auto const self = *this;
    index const t = on.threads_per_dmm();
    index const tile = tile_of(t, on.lanes());
    index const whole = tile == Each * t ? n / tile : 0;
    on.each_tile(
        0, whole,
        [=](auto& block, auto k) MMM_INLINED {
          self.move_tile(block, k, tile, detail::whole_tile{}, in, out, of_in, of_out, starts, sums,
                         next);
        },
        no_barrier);
    on.each_tile(whole, tiles_of(n, t, on.lanes()) - whole, [=](auto& block, auto k) MMM_INLINED {
      auto const exists = in_tile(k * tile, n, tile);
      self.move_tile(block, k, tile, detail::part_of_tile<decltype(exists)>{exists}, in, out, of_in,
                     of_out, starts, sums, next);
    });
  }

 private:
  template <class Block, class Tile, class Part, class In, class Out, class OfIn, class OfOut,
            class Starts, class Sums>
  MMM_HOST_DEVICE constexpr void move_tile(Block& block, Tile k, index tile, Part part, In in,
                                           Out out, OfIn of_in, OfOut of_out, Starts starts,
                                           Sums sums, Sums next) const {
    using key = typename In::value_type;
    using number = detail::key_bits_of<key>;
    index const t = block.threads();
    index const lanes = block.lanes();
    index const groups = detail::ceil_divide(t, lanes);
    index const w = block.machine().width();
    // a kernel's groups are whole
    index const in_row = Block::refuses ? detail::smaller(t, lanes) : lanes;
    int const at_bit = shift;
    auto const first = k * tile;
    auto const s = block.template allocate<number>(Each * t);
    auto const counters = block.template allocate<std::uint32_t>(digits * groups);
    auto const totals = block.template allocate<std::uint32_t>(digits);
    auto const begin = block.template allocate<std::uint32_t>(digits);
    auto const moved = block.template allocate<index>(digits);
    auto const x = block.template registers<number, Each>();
    auto const ranks = block.template registers<std::uint32_t, Each>();
    // the place in the tile of a thread's q-th key, before the pass and after it
    auto const own_place = [=](auto const& i, index q) {
      return i / lanes * (lanes * Each) + i % lanes + q * in_row;
    };
    auto const word_of = [=](auto const& i, auto const& place) {
      return detail::address_by<Scatter>(i, t, w, place);
    };
    // successive places mostly have the same digit
    auto const at_run = [=](auto const& i, auto const& place) {
      return detail::address_by<typename detail::scatter_of_lanes<Scatter>::neighbouring>(i, t, w,
                                                                                          place);
    };
    auto const digit_of = [=](auto const& own) {
      return apply(detail::digit_in_bits<bits>{}, own, at_bit);
    };

    block.each(
        digits * groups / 4,
        [=](auto i) {
          wide<4>(counters)[i] = make_vec<4>([&](index) { return std::uint32_t{0}; });
        },
        no_barrier);
    block.each(digits, [=](auto j) { next[k * digits + j] = 0 * j; }, no_barrier);
    block.each_thread([=](auto i) {
      auto const keys = make_vec<Each>([&](index q) {
        auto const place = own_place(i, q);
        return part.get(place, in[first + place], last_of_all<key>());
      });
      unroll<Each>([&](index q) { x(i, q) = apply(detail::to_bits<Order>{}, keys[q], 0); });
    });
    block.each_thread([=](auto i) {
      unroll<Each>([&](index q) {
        auto const digit = digit_of(load(x(i, q)));
        atomic_add(counters[word_of(i, digit_of_group(i / lanes, digit))], std::uint32_t{1});
      });
    });
    sum_up(block, groups, counters, totals, begin);
    if constexpr (Block::refuses)
      if (tile < Each * t) {  // keys of threads that take no part count as the last digit
        auto const idle = static_cast<std::uint32_t>(Each * t - tile);
        block.each(0, detail::any_body{});
        block.each(1,
                   [=](auto i) { totals[digits - 1 + i] = load(totals[digits - 1 + i]) - idle; });
      }
    block.publish_sums(sums, k, totals, digits);
    block.each(0, detail::any_body{});  // a barrier
    detail::scan_digits(block, begin);
    hand_on(block, groups, begin, counters);
    auto const move_to = [=](auto const& i, auto q, auto const& place) {
      if constexpr (detail::has_values<OfIn>) ranks(i, q) = place;
      s[word_of(i, place)] = load(x(i, q));
    };
    if constexpr (of_data)
      block.template count_in_order<static_cast<int>(bits), Each>(
          [=](auto const& i, auto q) { return digit_of(load(x(i, q))); }, counters, move_to);
    else
      block.each_thread(
          [=](auto i) {
            unroll<Each>([&](auto q) {
              atomic_add(counters[Scatter{}(i, t, w)], std::uint32_t{1});
              move_to(i, q, std::uint32_t{0});
            });
          },
          no_barrier);
    auto const v = move_values(block, first, part, of_in, own_place, word_of, ranks);
    block.sums_before(sums, k, totals, moved, digits);
    block.each(digits,
               [=](auto j) { moved[j] = load(moved[j]) + load(starts[j]) - load(begin[j]); });
    block.each_thread(
        [=](auto i) {
          unroll<Each>([&](index q) {
            auto const place = own_place(i, q);
            auto const found = part.get(place, s[place], number{});
            auto const digit = digit_of(found);
            auto const to = [&] {
              auto const by = part.get(place, moved[at_run(i, digit)], index{0});
              if constexpr (of_data)
                return as_index(by) + place;
              else
                return word_of(i, by);
            }();
            part.put(place, out[to], apply(detail::from_bits<key, Order>{}, found, 0));
            if constexpr (detail::has_values<OfIn>)
              part.put(place, of_out[to], part.get(place, v[place], typename OfIn::value_type{}));
          });
        },
        no_barrier);  // the words that are read here are written again only after a barrier
  }

  //! A condition that holds for the places in the tile that have a key.
  template <class First>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto in_tile(First const& first, index n,
                                                              index tile) {
    if constexpr (of_data) {
      index const keys = detail::smaller(n - first, tile);
      return [=](auto const& place) { return place < keys; };
    } else {
      return [=](auto const& place) { return first + place < n && place < tile; };
    }
  }
  //! A key that comes last: no other key of its type stands behind it.
  template <class Key>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr Key last_of_all() {
    using number = detail::key_bits_of<Key>;
    return detail::from_bits<Key, Order>{}(static_cast<number>(~number{0}), 0);
  }
  //! The number of a group's counter of a digit.
  template <class Group, class Digit>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto digit_of_group(Group const& group,
                                                                     Digit const& digit) {
    if constexpr (of_data)
      return group * digits + as_index(digit);
    else
      return digit;
  }

  //! Writes the sums of the groups' counters to `totals` and to `begin`.
  template <class Block, class Counters, class Sums>
  MMM_HOST_DEVICE static constexpr void sum_up(Block& block, index groups, Counters counters,
                                               Sums totals, Sums begin) {
    index const t = block.threads();
    index const threads = detail::smaller(t, digits);
    auto const upto = block.template registers<std::uint32_t>();
    block.repeat(detail::ceil_divide(digits, t), [=, &block](auto row) MMM_INLINED {
      block.each(threads, [=](auto i) { upto[i] = std::uint32_t{0}; }, no_barrier);
      block.repeat(detail::ceil_divide(groups, at_once), [=, &block](auto some) MMM_INLINED {
        block.each(
            threads,
            [=](auto i) {
              auto const digit = row * t + i;
              auto const found = found_counters(counters, some, groups, digit);
              upto[i] = load(upto[i]) + found[0] + found[1] + found[2] + found[3];
            },
            no_barrier);
      });
      block.each(
          threads,
          [=](auto i) {
            auto const digit = row * t + i;
            store_if(digit < digits, totals[digit], load(upto[i]));
            store_if(digit < digits, begin[digit], load(upto[i]));
          },
          no_barrier);
    });
  }
  //! Replaces each counter by the place in the tile where its group's keys with its digit begin.
  template <class Block, class Sums, class Counters>
  MMM_HOST_DEVICE static constexpr void hand_on(Block& block, index groups, Sums begin,
                                                Counters counters) {
    index const t = block.threads();
    index const threads = detail::smaller(t, digits);
    auto const upto = block.template registers<std::uint32_t>();
    block.repeat(detail::ceil_divide(digits, t), [=, &block](auto row) MMM_INLINED {
      block.each(
          threads,
          [=](auto i) {
            auto const digit = row * t + i;
            upto[i] = load_if(digit < digits, begin[digit], std::uint32_t{0});
          },
          no_barrier);
      block.repeat(detail::ceil_divide(groups, at_once), [=, &block](auto some) MMM_INLINED {
        block.each(
            threads,
            [=](auto i) {
              auto const digit = row * t + i;
              auto const found = found_counters(counters, some, groups, digit);
              unroll<at_once>([&](index q) {
                auto const group = some * at_once + q;
                auto const before = load(upto[i]);
                store_if(group < groups && digit < digits, counters[group * digits + digit],
                         before);
                upto[i] = before + found[q];
              });
            },
            no_barrier);
      });
    });
    block.each(0, detail::any_body{});  // a barrier
  }
  //! Number of groups whose counters of a digit are loaded at once.
  static constexpr index at_once = 4;
  template <class Counters, class Some, class Digit>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto found_counters(Counters counters,
                                                                     Some const& some, index groups,
                                                                     Digit const& digit) {
    return make_vec<at_once>([&](index q) {
      auto const group = some * at_once + q;
      return load_if(group < groups && digit < digits, counters[group * digits + digit],
                     std::uint32_t{0});
    });
  }
  //! Moves the tile's values to the places of their keys. Returns them in the shared memory.
  template <class Block, class First, class Part, class OfIn, class Place, class WordOf,
            class Ranks>
  MMM_HOST_DEVICE static constexpr auto move_values(Block& block, First first, Part part,
                                                    OfIn of_in, Place own_place, WordOf word_of,
                                                    Ranks ranks) {
    if constexpr (detail::has_values<OfIn>) {
      using value = typename OfIn::value_type;
      auto const v = block.template allocate<value>(Each * block.threads());
      block.each_thread(
          [=](auto i) {
            auto const found = make_vec<Each>([&](index q) {
              auto const place = own_place(i, q);
              return part.get(place, of_in[first + place], value{});
            });
            unroll<Each>([&](index q) { v[word_of(i, load(ranks(i, q)))] = found[q]; });
          },
          no_barrier);
      return v;
    } else {
      return of_in;
    }
  }
};

namespace detail {

//! Counts the keys with each digit, for all passes at once: `totals` has `digits` words for each of
//! `passes` passes, all 0 before. Every DMM counts its share in its shared memory.
//! Time: an access of all keys in the global memory; `passes` atomic updates for each key in the
//! shared memories; `256 d passes` in the global memory.
template <class Order, class Scatter>
struct count_all_digits {
  static constexpr index of_thread = 8;  //!< keys that a thread loads at once
  static constexpr index digits = 256;
  static constexpr bool of_data = std::is_same_v<Scatter, scatter_of_data>;
  index passes;

  template <class Machine, class Keys, class Totals>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, index n, Keys keys, Totals totals) const {
    using key = typename Keys::value_type;
    auto const self = *this;
    index const t = on.threads_per_dmm();
    index const w = on.machine().width();
    index const of_dmm = of_thread * t;
    index const in_row = of_dmm * on.dmms();
    index const words = digits * passes;
    on.each_dmm([=](auto& block, auto dmm) {
      auto const own = block.template allocate<std::uint32_t>(words);
      block.each(words, [=](auto j) { own[j] = std::uint32_t{0}; });
      block.repeat(ceil_divide(n, in_row), [=, &block](auto row) MMM_INLINED {
        block.each_thread(
            [=](auto i) {
              auto const first = row * in_row + dmm * of_dmm + i;
              auto const found = make_vec<of_thread>(
                  [&](index q) { return load_if(first + q * t < n, keys[first + q * t], key{}); });
              unroll<of_thread>([&](index q) {
                auto const x = apply(to_bits<Order>{}, found[q], 0);
                self.template each_pass<key>([&](index p) {
                  auto const digit = apply(digit_in_bits<8>{}, x, static_cast<int>(8 * p));
                  auto const counter = p * digits + address_by<Scatter>(i, t, w, digit);
                  atomic_add_if(first + q * t < n, own[counter], std::uint32_t{1});
                });
              });
            },
            no_barrier);
      });
      block.each(0, any_body{});  // a barrier
      block.each(words, [=](auto j) { atomic_add(totals[j], load(own[j])); });
    });
  }

 private:
  template <class Key, class F>
  MMM_HOST_DEVICE constexpr void each_pass(F const& f) const {
    if constexpr (of_data)
      unroll<larger(2, sizeof(Key))>(f);
    else
      for (index p = 0; p < passes; ++p) f(p);
  }
};

}  // namespace detail

}  // namespace mmm
MMM_BODIES_END
