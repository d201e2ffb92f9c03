// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>
#include <type_traits>

//! The prefix-sums of n values on an HMM in one pass over the global memory, for any associative
//! operator.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The prefix-sums of a vec's words.
template <class Operator, class Words>
[[nodiscard]] MMM_HOST_DEVICE constexpr Words scanned(Operator const& op, Words x) {
  unroll<Words::words - 1>([&](index k) { x[k + 1] = apply(op, x[k], x[k + 1]); });
  return x;
}

//! The places of thread i's vecs in a tile of t threads: `place(k)` of the k-th one. A group's vecs
//! are `Rows` adjacent rows, or with one row each k-th vec of all threads is in a row.
template <index Rows, class Item>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto vecs_of(Item const& i, index t, index lanes) {
  if constexpr (Rows == 1) {
    return [=](index k) { return k * t + i; };
  } else {
    index const groups = static_cast<std::uint32_t>(t) / static_cast<std::uint32_t>(lanes);
    index const rest = static_cast<std::uint32_t>(t) % static_cast<std::uint32_t>(lanes);
    index const whole = rest == 0 ? INT64_MAX : groups;
    auto const apart = select(i / lanes < whole, lanes, rest);
    auto const first = i + i / lanes * (lanes * (Rows - 1));
    return [=](index k) { return first + k * apart; };
  }
}

}  // namespace detail

//! The prefix-sums of `s[0 … n)` in place, V words at a time: upwards the sums of V neighbours
//! each, downwards the prefix of each. Needs `room(n)` words from `s` on. The levels follow each
//! other, each padded with `T{}` to a multiple of V; the caller pads the first one.
//! Time on a DMM: for each level of c > V values with b = ceil(c/V), the time of a wide access and
//! an access of up to b + V - 1 items upwards, and of an access of b items and two wide ones
//! downwards; two accesses of one thread at the top.
template <index V = 4, class Operator = plus>
struct wide_scan {
  static_assert(V >= 2, "mmm: a scan takes two values current a time, or more");
  Operator op{};

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index filled(index n) {
    return detail::ceil_divide(n, V) * V;
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index room(index n) {
    level const top = top_of(n);
    return top.first + filled(top.count);
  }

  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator s, index n) const {
    auto const combine = op;
    level current;
    for (current.count = n; current.count > V; current = current.above())
      gather(threads, s + current.first, current.count);
    auto const top = s + current.first;
    threads.each(
        1, [=](auto i) { wide<V>(top)[i] = detail::scanned(combine, load(wide<V>(top)[i])); });
    for (index height = current.number - 1; height >= 0; --height) {
      current = level{0, n, 0};
      while (current.number < height) current = current.above();
      hand_on(threads, s + current.first, current.count);
    }
  }

 private:
  struct level {
    index first = 0;
    index count = 0;
    index number = 0;
    [[nodiscard]] MMM_HOST_DEVICE constexpr level above() const {
      return {first + filled(count), detail::ceil_divide(count, V), number + 1};
    }
  };
  [[nodiscard]] MMM_HOST_DEVICE static constexpr level top_of(index n) {
    level current{0, n, 0};
    while (current.count > V) current = current.above();
    return current;
  }

  //! Writes the sums of V neighbours each after the n values.
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void gather(Threads& threads, Iterator s, index n) const {
    using value = typename Iterator::value_type;
    auto const combine = op;
    index const groups = detail::ceil_divide(n, V);
    index const end = filled(n);
    threads.each(filled(groups), [=](auto i) {
      auto x = load_if(i < groups, wide<V>(s)[i], value{});
      s[end + i] = detail::scanned(combine, x)[V - 1];
    });
  }
  //! Adds to V neighbours each the prefix before them, after those sums have been scanned.
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void hand_on(Threads& threads, Iterator s, index n) const {
    using value = typename Iterator::value_type;
    auto const combine = op;
    index const end = filled(n);
    threads.each(detail::ceil_divide(n, V), [=](auto i) {
      auto follows = i > 0;
      auto before = load_if(follows, s[end + i - 1], value{});
      auto x = detail::scanned(combine, load(wide<V>(s)[i]));
      wide<V>(s)[i] =
          make_vec<V>([&](index k) { return select(follows, apply(combine, before, x[k]), x[k]); });
    });
  }
};

//! The prefix-sums of the n values of `a`, written to `out`, which may be `a`: a scan with
//! decoupled look-back. Tiles of `V Vecs` values per thread are assigned to the DMMs round-robin. A
//! thread reads `Vecs` vecs of V values at once into registers, where the lanes of a group scan
//! their vecs. The first group scans the groups' totals; the tile publishes its aggregate, inspects
//! its predecessors and publishes its inclusive prefix (look_back). A tile has two barriers of its
//! DMM, one before these two steps and one after them; every value is written once. The values
//! after the whole tiles are a tile of their own, processed word by word. An initial value is in
//! all sums, and costs nothing. If `Exclusive`, `out[i]` is the sum of the values before `a[i]`,
//! which is the initial value for the first one.
//! Needs two words of shared memory for each group, more where there are more groups than lanes,
//! and 1.4 words for each value after the whole tiles.
//! Time for whole tiles, w | t: per pass of the DMMs and vec 2 accesses of V t words of the global
//! memory in all DMMs; docs/algorithms.md has the part of the shared memories.
template <index V = 4, index Vecs = 4, class Operator = plus, class Init = detail::no_init,
          bool Exclusive = false>
struct one_pass_scan {
  static constexpr index words = V;                           //!< words in a global access
  static constexpr bool is_preceded = detail::is_init<Init>;  //!< an initial value precedes all
  static_assert(is_preceded || !Exclusive);
  Operator op{};
  Init initial{};

  //! The program for sequences that do not begin at multiples of V words.
  [[nodiscard]] constexpr one_pass_scan<1, Vecs, Operator, Init, Exclusive> by_words() const
  requires(V > 1)
  {
    return {op, initial};
  }

  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, index n, Output out) const {
    using value = typename Iterator::value_type;
    index const tile = on.threads_per_dmm() * V * Vecs;
    index const tiles = n / tile;
    auto const state = on.template look_back_state<value>(tiles + 1);
    whole_tiles(on, a, tiles, out, state);
    rest(on, a + tiles * tile, n - tiles * tile, out + tiles * tile, state, tiles);
  }

 private:
  using tile_scan = wide_scan<4, Operator>;

  //! The prefix of a tile: the initial value and `totals`, the total of all tiles before, if there
  //! are any.
  template <class Follows, class Total>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto before_tile(Follows const& follows,
                                                           Total const& total) const {
    if constexpr (detail::is_init<Init>)
      return select(follows, apply(op, initial.value, total), initial.value);
    else
      return total;
  }
  //! Number of rows of lanes that a group scans one after the other: all vecs of a thread where
  //! groups are warps, whose vecs are adjacent; otherwise one row, of the adjacent vecs of all
  //! threads.
  template <class Machine>
  static constexpr index rows_of_group =
      detail::lanes_of(Machine::width()) == Machine::width() ? Vecs : 1;

  template <class Machine, class Iterator, class Output, class State>
  MMM_HOST_DEVICE constexpr void whole_tiles(Machine& on, Iterator a, index tiles, Output out,
                                             State state) const {
    using value = typename Iterator::value_type;
    one_pass_scan const scan = *this;
    auto const combine = op;
    on.each_tile(0, tiles, [=](auto& block, auto tile) {
      constexpr index rows = rows_of_group<typename Machine::machine_type>;
      constexpr index parts = Vecs / rows;
      index const t = block.threads();
      index const lanes = block.lanes();
      // in 32 bits, so that a kernel need not keep the number from tile to tile
      index const groups = (static_cast<std::uint32_t>(t) + static_cast<std::uint32_t>(lanes) - 1) /
                           static_cast<std::uint32_t>(lanes);
      // for each word, the sum of the group's words of the part up to it, or before it if Exclusive
      auto x = block.template registers<value, V * Vecs>();
      auto upto = block.template registers<value, Vecs>();
      auto before = block.template registers<value, Vecs>();
      index const n = parts * groups;
      auto totals =
          block.template allocate<value>(is_one_group<parts>(block, n) ? n : tile_scan::room(n));
      auto outside = block.template allocate<value>(n);
      auto first = tile * (Vecs * t);
      block.each_thread(
          [=](auto i) {
            auto const place = detail::vecs_of<rows>(i, t, lanes);
            auto v =
                make_vec<Vecs>([&](index k) { return load(wide<V>(a + V * first)[place(k)]); });
            unroll<Vecs>([&](index k) {
              auto own = detail::scanned(combine, v[k]);
              unroll<V - 1>([&](index j) { x(i, k * V + j + Exclusive) = own[j]; });
              upto(i, k) = own[V - 1];
            });
          },
          no_barrier);
      scan.template scan_rows<rows, value>(block, upto, before);
      block.each_thread([=](auto i) {
        unroll<parts>([&](index part) {
          store_if(i % lanes == lanes - 1 || i == t - 1, totals[part * groups + i / lanes],
                   load(upto(i, part * rows + rows - 1)));
        });
        auto inner = i % lanes > 0;
        unroll<Vecs>([&](auto k) {
          constexpr bool is_first_row = decltype(k)::value % rows == 0;
          auto const others = load(before(i, k));
          unroll<V - 1>([&](index j) {
            auto const own = load(x(i, k * V + j + Exclusive));
            auto const both = apply(combine, others, own);
            if constexpr (is_first_row)
              x(i, k * V + j + Exclusive) = select(inner, both, own);
            else
              x(i, k * V + j + Exclusive) = both;
          });
          if constexpr (Exclusive)
            x(i, k * V) = others;
          else
            x(i, k * V + V - 1) = load(upto(i, k));
        });
      });
      scan.template scan_totals<parts>(block, totals, outside, n);
      block.look_back(state, tile, outside, combine);
      block.each_thread(
          [=](auto i) {
            auto const place = detail::vecs_of<rows>(i, t, lanes);
            auto follows = tile > 0;
            auto of_tile = scan.before_tile(follows, load_if(follows, outside[0 * i], value{}));
            auto inner = i % lanes > 0;
            unroll<parts>([&](auto part) {
              auto number = part * groups + i / lanes;
              auto second = number > 0;
              auto of_groups = load_if(second, outside[number], of_tile);
              auto others =
                  select(second, detail::after_others<Init>(combine, follows, of_tile, of_groups),
                         of_tile);
              unroll<rows>([&](auto row) {
                index const k = part * rows + row;
                wide<V>(out + V * first)[place(k)] = make_vec<V>([&](index j) {
                  auto const own = load(x(i, k * V + j));
                  auto const both =
                      detail::after_others<Init>(combine, second || follows, others, own);
                  if constexpr (Exclusive && decltype(row)::value == 0)
                    return j > 0 ? both : select(inner, both, others);
                  else
                    return both;
                });
              });
            });
          },
          no_barrier);
    });
  }

  //! Scans the registers of each group, `Rows` rows of them as one sequence.
  template <index Rows, class T, class Block, class Registers>
  MMM_HOST_DEVICE constexpr void scan_rows(Block& block, Registers const& upto,
                                           Registers const& before) const {
    if constexpr (Rows == Vecs) {
      block.template scan_lanes<Rows>(upto, before, op);
    } else {
      auto own = block.template registers<T>();
      auto others = block.template registers<T>();
      unroll<Vecs>([&](index k) {
        block.each_thread([=](auto i) { own[i] = load(upto(i, k)); }, no_barrier);
        block.scan_lanes(own, others, op);
        block.each_thread(
            [=](auto i) {
              upto(i, k) = load(own[i]);
              before(i, k) = load(others[i]);
            },
            no_barrier);
      });
    }
  }

  //! True if the first group has at least n lanes.
  template <index Parts, class Block>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr bool is_one_group(Block const& block, index n) {
    constexpr index lanes = detail::lanes_of(Block::machine_type::width());
    if (Parts == 1 && Block::max_threads <= lanes * lanes) return true;  // groups of all threads
    return n <= detail::smaller(lanes, block.threads());
  }
  //! Scans the n totals: `others[g]` becomes the sum of the totals before the g-th one, `others[0]`
  //! the sum of all.
  template <index Parts, class Block, class Array>
  MMM_HOST_DEVICE constexpr void scan_totals(Block& block, Array totals, Array others,
                                             index n) const {
    using value = typename Array::value_type;
    auto const combine = op;
    if (!is_one_group<Parts>(block, n)) {
      block.each(tile_scan::filled(n) - n, [=](auto i) { totals[n + i] = value{}; });
      tile_scan{combine}(block, totals, n);
      block.each(n, [=](auto i) { others[i] = load(totals[select(i > 0, i, n) - 1]); }, no_barrier);
      return;
    }
    auto all = block.template registers<value>();
    auto upto = block.template registers<value>();
    auto before = block.template registers<value>();
    block.each_thread(
        [=](auto i) {
          auto const own = load_if(i < n, totals[i], value{});
          all[i] = own;
          upto[i] = own;
        },
        no_barrier);
    block.fold_lanes(all, n, combine);
    block.scan_lanes(upto, before, combine);
    block.each_thread(
        [=](auto i) { store_if(i < n, others[i], select(i > 0, load(before[i]), load(all[i]))); },
        no_barrier);
  }

  //! The values after the whole tiles, fewer than a tile, by one DMM.
  template <class Machine, class Iterator, class Output, class State>
  MMM_HOST_DEVICE constexpr void rest(Machine& on, Iterator a, index n, Output out, State state,
                                      index number) const {
    using value = typename Iterator::value_type;
    one_pass_scan const scan = *this;
    auto const combine = op;
    if (n == 0) return;
    on.each_tile(number, 1, [=](auto& block, auto tile) {
      auto s = block.template allocate<value>(tile_scan::room(n));
      auto total = block.template allocate<value>(1);
      block.each(tile_scan::filled(n), [=](auto i) { s[i] = load_if(i < n, a[i], value{}); });
      tile_scan{combine}(block, s, n);
      block.each(1, [=](auto i) { total[i] = load(s[n - 1 + i]); });
      block.look_back(state, tile, total, combine);
      auto outside = block.template registers<value>();
      block.each(
          detail::smaller(n, block.threads()),
          [=](auto i) {
            auto follows = tile > 0;
            outside[i] = scan.before_tile(follows, load_if(follows, total[0 * i], value{}));
          },
          no_barrier);
      block.each(n, [=](auto i) {
        if constexpr (Exclusive) {
          auto own = load_if(i > 0, s[i - 1], value{});
          out[i] = select(i > 0, apply(combine, load(outside[i]), own), load(outside[i]));
        } else {
          auto own = load(s[i]);
          out[i] = detail::after_others<Init>(combine, tile > 0, load(outside[i]), own);
        }
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::prefix_sums_one_pass and its exclusive twin. A thread has
//! `Vecs` vecs of V words of 4 bytes in a tile, a quarter as many of 8 bytes and an eighth of 16
//! bytes, so that no register is spilled; V where Vecs does not divide the width.
template <index V, index Vecs, bool Exclusive = false>
struct one_pass_scan_algorithm : sequence_call<one_pass_scan_algorithm<V, Vecs, Exclusive>> {
  static constexpr char const* name =
      Exclusive ? "exclusive-prefix-sums-one-pass" : "prefix-sums-one-pass";
  static constexpr char const* paper = "Merrill and Garland 2016, on Nakano 2014, theorem 3";
  static constexpr machine_kinds kinds{.hmm = 4};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Out = no_data, class... Form>
    constexpr void run(On& on, In first = {}, Out out = {}, Form const&... form) const {
      auto const combine = scan_combination_of<Exclusive, In>(form...);
      using initial = decltype(combine.initial);
      using value = combined_t<iterator_value_t<In>, decltype(combine.op), initial>;
      auto const op = combining_in<value>(combine.op);
      auto result = writes<value>(out, n);
      result.in_place = updates(first, n, out).in_place;
      constexpr index registers = ceil_divide(index{sizeof(value)}, 4);  // per word
      // a quarter as many words of two registers as of one, since the other values in registers are
      // wider, too
      constexpr index fewer = registers > 1 ? Vecs >> (ceil_log2(registers) + 1) : Vecs;
      constexpr index vecs = larger(1, smaller(vecs_on(On::machine_type::width()), fewer));
      constexpr index at_once = registers <= Vecs / 2 ? V : 1;
      using scan =
          one_pass_scan<at_once, vecs, std::remove_const_t<decltype(op)>, initial, Exclusive>;
      perform(on, scan{op, combine.initial}, reads<value>(first, n), n.count, result);
    }
    [[nodiscard]] static constexpr index vecs_on(index width) {
      return width % Vecs == 0 ? Vecs : smaller(V, Vecs);
    }
    //! Every word is read and written, V words in an access.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      bound b = access_bound(m, 2 * n, V * m.p);
      b.reduction = log2(n);
      return b;
    }
    //! `2 (n/w + n L/(V p))` for the global memory, and for each pass of the DMMs over their tiles
    //! 2L for the look-back, and in the shared memories `V Vecs t/w` and a latency per level and
    //! vec.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const tile = m.t * (V * vecs_on(m.w.count));
      natural const passes = natural(n.count / tile.count) / m.d + 1;
      natural const levels = log2(tile) + vecs_on(m.w.count);
      return 2 * (n / m.w + n * m.L / (V * m.p)) +
             passes * (levels * m.l + 2 * (tile / m.w) + 2 * (m.L + m.d));
    }
  };
};

}  // namespace detail

//! The prefix-sums of n words on an HMM in one pass over the global memory, by decoupled look-back,
//! with 32 words per thread and tile, four in an access; called as mmm::prefix_sums. Errors:
//! std::invalid_argument if `out` overlaps the input without being `first`; std::length_error if
//! the shared memories are too small for a tile. Source: Merrill and Garland 2016.
inline constexpr detail::one_pass_scan_algorithm<4, 8> prefix_sums_one_pass{};

//! The results of mmm::exclusive_prefix_sums by the algorithm and in the time of
//! mmm::prefix_sums_one_pass.
inline constexpr detail::one_pass_scan_algorithm<4, 8, true> exclusive_prefix_sums_one_pass{};

}  // namespace mmm
MMM_BODIES_END
