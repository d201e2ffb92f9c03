// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/merge_sort_in_one_memory.hpp>
#include <mmm/algorithm/sort/merge_tiles.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

//! Merging k sorted runs of any lengths: in each of log k levels, neighbouring runs are merged two
//! by two. The numbers of accesses depend on n and k alone, and the addresses of reads on the runs'
//! lengths and words.
//!
//! A unit of work makes `unit` successive words of a merged run. On all levels, each of the given
//! runs has as many units as its words need, so that a merged run begins at a unit. A unit's last
//! words may be unused. They are written, too, between the runs, except by the last level, whose
//! only run has none of them.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The places of k runs of n words, and the units that merge them.
template <class Scatter, class Places>
struct run_places {
  index n;
  index k;
  index unit;
  data_places<Scatter> places;
  Places before;        //!< word m of k + 1: the number of words before run m
  Places units_before;  //!< the number of units before run m

  //! Number of units of all runs, at most.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index max_units(index n, index k, index unit) {
    return (n + k * (unit - 1)) / unit;
  }
  //! Number of units of a level at which groups of `group` runs are merged two by two.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index units(index group) const {
    return 2 * group >= k ? ceil_divide(n, unit) : max_units(n, k, unit);
  }
  //! Writes the registers of path_merge for unit i: its two runs, which lie one after the other if
  //! the groups are single runs, and otherwise at their first units; and its diagonal.
  //! Time: log(k / 2 group) + 7 reads at most, at places that depend on the runs' lengths.
  template <class Path, class Item, class R>
  MMM_HOST_DEVICE constexpr void locate(Item const& i, index group, R const& r) const {
    index const runs = k, pairs = ceil_divide(runs, 2 * group);
    r(i, Path::low) = 0 * i;
    r(i, Path::diagonal) = i;
    auto const own = load(r(i, Path::diagonal));
    auto pair = load(r(i, Path::low));
    for (index step = Path::step_for(pairs - 1); step > 0; step /= 2) {
      auto const upto = min(pair + step, pairs - 1);
      auto const first = load(units_before[places(i, 2 * group * upto)]);
      pair = select(own < first, pair, upto);
    }
    // the last level has one pair, whose places are known
    auto const word = [&](Places words, index number) {
      auto const only = smaller(number * group, runs);
      return pairs == 1 ? load(words[only + 0 * i])
                        : load(words[places(i, min((2 * pair + number) * group, runs))]);
    };
    auto const start = [&](index number) {
      return group == 1 ? word(before, number) : word(units_before, number) * unit;
    };
    auto const middle = word(before, 1);
    r(i, Path::first) = start(0);
    r(i, Path::end_of_first) = load(r(i, Path::first)) + middle - word(before, 0);
    r(i, Path::second) = start(1);
    r(i, Path::last) = load(r(i, Path::second)) + word(before, 2) - middle;
    r(i, Path::diagonal) =
        min((own - word(units_before, 0)) * unit, word(before, 2) - word(before, 0));
  }
};

//! Merges the runs' words in one memory; each thread makes `Each` words of a run at a time.
template <index Each, class Order, class Scatter>
struct run_merge_level {
  Order order;

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index unit(index) { return Each; }

  //! Merges groups of `group` runs two by two. `in` has `words` words.
  template <class On, class Places, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void operator()(On& on, run_places<Scatter, Places> const& runs,
                                            index group, index words, In in, Out out, OfIn of_in,
                                            OfOut of_out) const {
    using path = path_merge<index, Each, true, Order, Scatter, true>;
    path const all{order, {on.threads(), on.machine().width()}, words - 1};
    index const units = runs.units(group), step = path::step_for(runs.n / 2);
    index const end = 2 * group >= runs.k ? runs.n : units * Each;
    auto const r = on.template registers<index, path::numbers>();
    auto const x = on.template registers<typename In::value_type, Each>();
    auto const sources = [&] {
      if constexpr (has_values<OfIn>)
        return on.template registers<index, Each>();
      else
        return no_values{};
    }();
    on.each(units, [=](auto i) {
      runs.template locate<path>(i, group, r);
      all.find(i, step, in, r);
      all.merge(i, in, r, x, sources);
      unroll<Each>([&](index q) {
        auto const place = i * Each + q;
        store_if(place < end, out[place], load(x(i, q)));
        if constexpr (has_values<OfIn>)
          store_if(place < end, of_out[place], load(of_in[all.places(i, load(sources(i, q)))]));
      });
    });
  }
};

//! Merges the runs' words on an HMM, in tiles as tile_merge_program.
template <index Bytes, class Order, class Scatter>
struct run_merge_tiles : tile_merge_program<Bytes, Order, Scatter> {
  using base = tile_merge_program<Bytes, Order, Scatter>;
  using base::each;
  using typename base::number, typename base::path;
  using path_of_all =
      path_merge<index, 1, true, Order, typename scatter_of_lanes<Scatter>::far_apart, true>;

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index unit(index threads_per_dmm) {
    return each * threads_per_dmm;
  }

  template <class On, class Places, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void operator()(On& on, run_places<Scatter, Places> const& runs,
                                            index group, index words, In in, Out out, OfIn of_in,
                                            OfOut of_out) const {
    path_of_all const all{this->order, {on.threads(), on.machine().width()}, words - 1};
    index const tiles = runs.units(group), tile = runs.unit;
    index const step = path_of_all::step_for(runs.n / 2), max_word = words - 1;
    index const end = 2 * group >= runs.k ? runs.n : tiles * tile;
    auto const r = on.template registers<index, path_of_all::numbers>();
    // four words for each tile, and for an end after them: the place of its part of the first run,
    // the end of that run, the place of its part of the second run, and the number of its words
    auto const parts = on.template allocate<index>(4 * (tiles + 1));
    on.each(tiles + 1, [=](auto k) {
      runs.template locate<path_of_all>(k, group, r);
      all.find(k, step, in, r);
      auto const of_second = load(r(k, path_of_all::diagonal)) - load(r(k, path_of_all::low));
      auto const length = load(r(k, path_of_all::end_of_first)) - load(r(k, path_of_all::first)) +
                          load(r(k, path_of_all::last)) - load(r(k, path_of_all::second));
      parts[4 * k] = load(r(k, path_of_all::first)) + load(r(k, path_of_all::low));
      parts[4 * k + 1] = load(r(k, path_of_all::end_of_first));
      parts[4 * k + 2] = min(load(r(k, path_of_all::second)) + of_second, max_word);
      parts[4 * k + 3] = min(length - load(r(k, path_of_all::diagonal)), tile);
    });
    auto const self = *this;
    on.each_tile(0, tiles, [=](auto& block, auto k) MMM_INLINED {
      self.merge_parts(block, k, end, parts, in, out, of_in, of_out);
    });
  }

 private:
  //! Merges the parts of a tile, the words of `out` from place `k * tile` on, up to `end`.
  template <class Block, class Tile, class Parts, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void merge_parts(Block& block, Tile k, index end, Parts parts, In in,
                                             Out out, OfIn of_in, OfOut of_out) const {
    index const tile = each * block.threads();
    auto const numbers = block.template registers<index, 2>();
    auto const r = block.template registers<number, path::numbers>();
    block.each_thread(
        [=](auto i) {
          numbers(i, 0) = load(parts[4 * k]);
          auto const length =
              min(load(parts[4 * k + 4]), load(parts[4 * k + 1])) - load(numbers(i, 0));
          r(i, path::second) = as_number<number>(length);
          numbers(i, 1) = load(parts[4 * k + 2]) - length;
          r(i, path::last) = as_number<number>(load(parts[4 * k + 3]));
        },
        no_barrier);
    parts_of_runs<Scatter> const of_runs{block.machine().width()};
    auto const place = [=](auto const& i, auto const& j) {
      auto const length = load(r(i, path::second));
      auto const word = of_runs(i, j, length, load(numbers(i, 0)), load(numbers(i, 1)));
      if constexpr (base::of_data)  // places after the tile's words are that of one of them
        return as_index(select(j < load(r(i, path::last)), word, load(numbers(i, 1)) + length));
      else
        return word;
    };
    auto const all = base::in_tile(index{0}, tile, tile);
    auto const s = base::template room_for<In>(block);
    auto const v = base::template room_for<OfIn>(block);
    base::bring(block, index{0}, tile, in, all, place, s);
    if constexpr (has_values<OfIn>) base::bring(block, index{0}, tile, of_in, all, place, v);
    block.each(0, any_body{});  // a barrier
    this->merge_in_place(
        block, path::step_for(tile / 2), s, v, r, base::template registers_for<In, each>(block),
        base::template registers_for<typename base::template places<OfIn>, each>(block),
        base::template registers_for<OfIn, each>(block), [=](auto const& i) {
          r(i, path::first) = number{0};
          r(i, path::diagonal) = as_number<number>(i * each);
          r(i, path::diagonal) = min(load(r(i, path::diagonal)), load(r(i, path::last)));
        });
    auto const first = k * tile;
    auto const exists = base::in_tile(first, end, tile);
    base::deliver(block, first, end, s, exists, out);
    if constexpr (has_values<OfIn>) base::deliver(block, first, end, v, exists, of_out);
    block.each(0, any_body{});  // a barrier
  }
};

//! Merges k sorted runs of n words, and their values with them, from `given` to `keys`. `ends` has
//! the number of words up to the end of each run. Stable. Needs two more arrays of n words and of a
//! unit for each run, from 5 runs on; one for 3 or 4; none for 2.
//! `Level` merges runs two by two.
template <class Level, class Scatter>
struct merge_runs_program {
  Level level;

  template <class On, class Ends, class Given, class Keys, class OfGiven = no_values,
            class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, index k, Ends ends, Given given,
                                            Keys keys, OfGiven of_given = {},
                                            Values values = {}) const {
    if (n == 0) return;
    index const unit = Level::unit(threads_of(on));
    auto const before = on.template allocate<index>(k + 1);
    auto const units_before = unit == 1 ? before : on.template allocate<index>(k + 1);
    using places = run_places<Scatter, remove_const_t<decltype(before)>>;
    index const words = places::max_units(n, k, unit) * unit;
    auto const array = [&](auto const& like, bool needed) {
      using sequence = remove_cvref_t<decltype(like)>;
      if constexpr (has_values<sequence>)
        return on.template allocate<typename sequence::value_type>(needed ? words : 0);
      else
        return no_values{};
    };
    auto const a = array(keys, k > 2), b = array(keys, k > 4);
    auto const of_a = array(values, k > 2), of_b = array(values, k > 4);
    on.each(1, [=](auto i) { before[i] = 0 * i; }, no_barrier);
    on.each(k, [=](auto i) { before[i + 1] = load(ends[i]); });
    if (unit > 1) {
      on.each(1, [=](auto i) { units_before[i] = 0 * i; }, no_barrier);
      on.each(k, [=](auto i) {
        auto const length = load(before[i + 1]) - load(before[i]);
        units_before[i + 1] = (length + (unit - 1)) / unit;
      });
      scan_program<plus, false>{}(on, units_before + 1, k);
    }
    places const runs{n, k, unit, {on.threads(), on.machine().width()}, before, units_before};
    bool from_a = false;
    for (index group = 1; group < k; group *= 2) {
      bool const ends_here = 2 * group >= k;
      if (group == 1)
        ends_here ? level(on, runs, group, n, given, keys, of_given, values)
                  : level(on, runs, group, n, given, a, of_given, of_a);
      else if (ends_here)
        from_a ? level(on, runs, group, words, a, keys, of_a, values)
               : level(on, runs, group, words, b, keys, of_b, values);
      else
        from_a ? level(on, runs, group, words, a, b, of_a, of_b)
               : level(on, runs, group, words, b, a, of_b, of_a);
      from_a = !from_a;
    }
  }

 private:
  template <class On>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index threads_of(On const& on) {
    if constexpr (hierarchical_machine<typename On::machine_type>)
      return on.threads_per_dmm();
    else
      return on.threads();
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
