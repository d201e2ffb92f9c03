// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/merge_sort_in_one_memory.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/vec.hpp>

#include <cstdint>
#include <type_traits>

//! Sorting by merging on an HMM: tiles are sorted in the shared memories, and merged there two runs
//! at a time.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! The least and the greatest cost of reading a part of each of two runs: a warp's words lie in one
//! address group or in two, and once in each tile, where one part ends and the other begins, in
//! four.
template <class Scatter>
struct parts_of_runs {
  index w;

  //! The place of word j of both parts: j plus `by_first` if the word is one of the `length` words
  //! of the first part, otherwise j plus `by_second`. \param i the item that reads it
  template <class Item, class Place, class Length, class Offset>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(
      [[maybe_unused]] Item const& i, [[maybe_unused]] Place const& j,
      [[maybe_unused]] Length const& length, [[maybe_unused]] Offset const& by_first,
      [[maybe_unused]] Offset const& by_second) const {
    if constexpr (is_same_v<Scatter, scatter_of_data>)
      return as_index(j + select(j < length, by_first, by_second));
    else if constexpr (is_same_v<Scatter, scatter_contiguous>)
      return i % w;
    else
      return select(i < w, min(i, 3) * w, i + w - 1);
  }
};

//! Number of keys that a thread sorts in registers, and of words of a merged run that it makes, on
//! an HMM: odd, as keys_of_merge.
inline constexpr index keys_of_tile_merge = 15;

//! Sorts n keys on an HMM, and their values with them. A tile has e = 15 keys for each thread of a
//! DMM. At each level of merges, with runs of r keys, all threads first find the places where the
//! runs' parts of each tile begin; then each tile's parts are copied to a shared memory and merged
//! there.
//! Needs `e t + e + 1` words of shared memory for the keys of t threads, and as many for values.
//!
//! \tparam Bytes the bytes of a key and its value
template <index Bytes, class Order, class Scatter = scatter_of_data>
struct tile_merge_program {
  static constexpr index each = keys_of_tile_merge;
  //! keys, values and places are in registers
  static constexpr index max_block_threads = Bytes <= 8 ? 512 : 256;
  Order order{};

  template <class On, class Keys, class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Keys keys, Values values = {}) const {
    if (n <= 1) return;
    index const tile = each * on.threads_per_dmm();
    index const tiles = ceil_divide(n, tile);
    index const of_others = tiles > 1 ? n : 0;
    auto const other = on.template allocate<typename Keys::value_type>(of_others);
    auto const other_values = [&] {
      if constexpr (has_values<Values>)
        return on.template allocate<typename Values::value_type>(of_others);
      else
        return Values{};
    }();
    auto const cuts = on.template allocate<index>(tiles > 1 ? tiles + 1 : 0);
    bool at_home = ceil_log2(tiles) % 2 == 0;  // the last level writes the keys to their own array
    auto const r = on.template registers<index, path_of_all::numbers>();
    using others = remove_const_t<decltype(other)>;
    using values_of_others = remove_const_t<decltype(other_values)>;
    constexpr bool same_types = is_same_v<Keys, others> && is_same_v<Values, values_of_others>;
    if constexpr (same_types)  // one instantiation for both directions
      sort_tiles(on, n, keys, at_home ? keys : other, values, at_home ? values : other_values);
    else
      at_home ? sort_tiles(on, n, keys, keys, values, values)
              : sort_tiles(on, n, keys, other, values, other_values);
    index step = path_of_all::step_for(tile);
    for (index run = tile; run < n; run *= 2, step *= 2) {
      if constexpr (same_types)
        merge_runs(on, n, run, step, r, cuts, at_home ? keys : other, at_home ? other : keys,
                   at_home ? values : other_values, at_home ? other_values : values);
      else
        at_home ? merge_runs(on, n, run, step, r, cuts, keys, other, values, other_values)
                : merge_runs(on, n, run, step, r, cuts, other, keys, other_values, values);
      at_home = !at_home;
    }
  }

 protected:
  static constexpr bool of_data = is_same_v<Scatter, scatter_of_data>;
  using number = std::int32_t;  //!< a place in a tile
  using path = path_merge<number, each, false, Order, Scatter>;
  using path_of_all =
      path_merge<index, 1, true, Order, typename scatter_of_lanes<Scatter>::far_apart>;
  struct places_of_values {
    using value_type = number;
  };
  //! The type of the sources of values: places, if there are values.
  template <class Values>
  using places = std::conditional_t<has_values<Values>, places_of_values, no_values>;

  //! Writes the cuts: for each tile of the result of merging runs of `run` words, and for the end,
  //! the place where the tile's part of the first run begins.
  template <class On, class In, class R, class Cuts>
  MMM_HOST_DEVICE constexpr void find_cuts(On& on, index n, index run, index step, In in, R r,
                                           Cuts cuts) const {
    path_of_all const all{order, {on.threads(), on.machine().width()}, n - 1};
    index const tile = each * on.threads_per_dmm();
    on.each(ceil_divide(n, tile) + 1, [=](auto k) {
      auto const inner = remainder_of_power(k, 2 * run / tile);
      auto const begin = min((k - inner) * tile, n);
      r(k, path_of_all::first) = begin;
      r(k, path_of_all::second) = min(begin + run, n);
      r(k, path_of_all::last) = min(begin + 2 * run, n);
      r(k, path_of_all::diagonal) = min(inner * tile, n - begin);
      all.find(k, step, in, r);
      cuts[k] = load(r(k, path_of_all::first)) + load(r(k, path_of_all::low));
    });
  }

  template <class On, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void sort_tiles(On& on, index n, In in, Out out, OfIn of_in,
                                            OfOut of_out) const {
    auto const self = *this;
    on.each_tile(0, ceil_divide(n, each * on.threads_per_dmm()),
                 [=](auto& block, auto k)
                     MMM_INLINED { self.sort_tile(block, k, n, in, out, of_in, of_out); });
  }
  //! Merges runs of `run` words two by two.
  template <class On, class R, class Cuts, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void merge_runs(On& on, index n, index run, index step, R r, Cuts cuts,
                                            In in, Out out, OfIn of_in, OfOut of_out) const {
    find_cuts(on, n, run, step, in, r, cuts);
    auto const self = *this;
    on.each_tile(0, ceil_divide(n, each * on.threads_per_dmm()),
                 [=](auto& block, auto k) MMM_INLINED {
                   self.merge_tile(block, k, n, run, cuts, in, out, of_in, of_out);
                 });
  }

  //! A condition that holds for the places of a tile whose words exist; the tile begins at word
  //! `first`.
  template <class First>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto in_tile(First const& first, index n,
                                                              [[maybe_unused]] index tile) {
    if constexpr (of_data) {
      auto const words = static_cast<number>(smaller(n - first, tile));
      return [=](auto const& place) { return place < words; };
    } else {
      return [=](auto const& place) { return first + place < n; };
    }
  }
  //! A condition that holds for every place of a whole tile.
  struct all_exist {
    template <class Place>
    [[nodiscard]] MMM_HOST_DEVICE constexpr bool operator()(Place const&) const {
      return true;
    }
  };
  //! Calls `body(exists)`; a kernel passes all_exist if the tile is a whole one.
  template <class Block, class First, class Exists, class Body>
  MMM_HOST_DEVICE static constexpr void ask_in_last_tile([[maybe_unused]] Block& block,
                                                         [[maybe_unused]] First const& first,
                                                         [[maybe_unused]] index n,
                                                         Exists const& exists, Body const& body) {
    if constexpr (!Block::refuses)
      if (first + each * block.threads() <= n) return body(all_exist{});
    body(exists);
  }
  //! Allocates a tile of such words in the shared memory, with room for a word that is read before
  //! it and for the words that are read after it.
  template <class Words, class Block>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto room_for([[maybe_unused]] Block& block) {
    if constexpr (has_values<Words>)
      return block.template allocate<typename Words::value_type>(each * block.threads() + each +
                                                                 1) +
             1;
    else
      return no_values{};
  }
  //! Allocates N registers for such words.
  template <class Words, index N, class Block>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto registers_for([[maybe_unused]] Block& block) {
    if constexpr (has_values<Words>)
      return block.template registers<typename Words::value_type, N>();
    else
      return no_values{};
  }

  //! The places of words in copies to and from a shared memory: the q-th one of the thread of item
  //! i. A warp has successive words, row by row, so that the places of a thread's words differ by
  //! numbers that are constants of a kernel. A kernel's warps are whole ones.
  template <class Block>
  struct rows_of_warp {
    index t;
    index w;
    constexpr MMM_HOST_DEVICE explicit rows_of_warp(Block const& block)
        : t(block.threads()), w(block.machine().width()) {}
    template <class Item>
    [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Item const& i, index q) const {
      if constexpr (Block::refuses) {
        return i / w * (w * each) + i % w + min(t - i / w * w, w) * q;
      } else {
        auto const own = static_cast<std::uint32_t>(i);
        auto const row = static_cast<std::uint32_t>(w);
        auto const of_warp = static_cast<std::uint32_t>(each) * row;
        return static_cast<number>(own / row * of_warp + own % row +
                                   static_cast<std::uint32_t>(q) * row);
      }
    }
  };

  //! Copies a tile's words to the shared memory, from the places of `in` that `place` gives, and
  //! copies of word `first` to places without a word. No barrier.
  template <class Block, class First, class In, class Exists, class Place, class Words>
  MMM_HOST_DEVICE static constexpr void bring(Block& block, First const& first, index n, In in,
                                              Exists const& known, Place const& place, Words s) {
    index const t = block.threads();
    block.each(
        each + 1, [=](auto i) { s[select(i < each, each * t + i, -1)] = load(in[first]); },
        no_barrier);
    rows_of_warp<Block> const words(block);
    ask_in_last_tile(block, first, n, known, [&](auto exists) {
      block.each_thread(
          [=](auto i) {
            auto const any = load(in[first]);
            auto const found = make_vec<each>([&](index q) {
              return load_if(exists(words(i, q)), in[place(i, words(i, q))], any);
            });
            unroll<each>([&](index q) { s[words(i, q)] = found[q]; });
          },
          no_barrier);
    });
  }
  //! Copies a tile's words from the shared memory to `out`. No barrier.
  template <class Block, class First, class Words, class Exists, class Out>
  MMM_HOST_DEVICE static constexpr void deliver(Block& block, First const& first, index n, Words s,
                                                Exists const& known, Out out) {
    rows_of_warp<Block> const words(block);
    ask_in_last_tile(block, first, n, known, [&](auto exists) {
      block.each_thread(
          [=](auto i) {
            auto const found = make_vec<each>([&](index q) { return load(s[words(i, q)]); });
            unroll<each>([&](index q) {
              store_if(exists(words(i, q)), out[first + words(i, q)], found[q]);
            });
          },
          no_barrier);
    });
  }

  //! Merges each thread's part in the shared memory: `set(i)` writes its registers `r` for
  //! path_merge. A barrier follows.
  template <class Block, class Words, class OfWords, class R, class X, class Sources, class OfX,
            class Set>
  MMM_HOST_DEVICE constexpr void merge_in_place(Block& block, number step, Words s, OfWords v, R r,
                                                X x, Sources sources, OfX of_x,
                                                Set const& set) const {
    path const in_shared{order, {block.threads(), block.machine().width()}};
    block.each_thread([=](auto i) {
      set(i);
      in_shared.find(i, step, s, r);
      in_shared.merge(i, s, r, x, sources);
      if constexpr (has_values<OfWords>)
        unroll<each>(
            [&](index q) { of_x(i, q) = load(v[in_shared.places(i, load(sources(i, q)))]); });
    });
    block.each_thread([=](auto i) {
      unroll<each>([&](index q) {
        s[i * each + q] = load(x(i, q));
        if constexpr (has_values<OfWords>) v[i * each + q] = load(of_x(i, q));
      });
    });
  }

  //! Sorts a tile's words from `in` to `out`.
  template <class Block, class Tile, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void sort_tile(Block& block, Tile k, index n, In in, Out out,
                                           OfIn of_in, OfOut of_out) const {
    index const t = block.threads();
    index const tile = each * t;
    auto const first = k * tile;
    auto const exists = in_tile(first, n, tile);
    auto const place = [=](auto const&, auto const& j) { return first + j; };
    auto const s = room_for<In>(block);
    auto const v = room_for<OfIn>(block);
    bring(block, first, n, in, exists, place, s);
    if constexpr (has_values<OfIn>) bring(block, first, n, of_in, exists, place, v);
    block.each(0, any_body{});  // a barrier
    sort_of_own_keys<each, Order> const sorted{order};
    block.each_thread([=](auto i) {
      auto const own = [&](auto const& words) {
        if constexpr (has_values<remove_cvref_t<decltype(words)>>)
          return make_vec<each>([&](index q) { return load(words[i * each + q]); });
        else
          return words;
      };
      auto keys = own(s);
      auto values = own(v);
      sorted(keys, values, [=](index q) { return exists(i * each + q); });
      unroll<each>([&](index q) {
        s[i * each + q] = keys[q];
        if constexpr (has_values<OfIn>) v[i * each + q] = values[q];
      });
    });
    auto const r = block.template registers<number, path::numbers>();
    auto const x = registers_for<In, each>(block);
    auto const of_x = registers_for<OfIn, each>(block);
    auto const sources = registers_for<places<OfIn>, each>(block);
    auto const words = min(n - first, tile);
    index const longest = smaller(tile, n);
    number step = path::step_for(each);
    for (index run = each; run < longest; run *= 2, step *= 2)
      merge_in_place(block, step, s, v, r, x, sources, of_x, [=](auto const& i) {
        auto const inner = remainder_of_power(i, 2 * run / each);
        auto const begin = min((i - inner) * each, words);
        r(i, path::first) = as_number<number>(begin);
        r(i, path::second) = as_number<number>(min(begin + run, words));
        r(i, path::last) = as_number<number>(min(begin + 2 * run, words));
        r(i, path::diagonal) = as_number<number>(min(inner * each, words - begin));
      });
    deliver(block, first, n, s, exists, out);
    if constexpr (has_values<OfIn>) deliver(block, first, n, v, exists, of_out);
    block.each(0, any_body{});  // a barrier
  }

  //! Merges the parts of two runs of `run` words that make a tile of the result.
  template <class Block, class Tile, class Cuts, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void merge_tile(Block& block, Tile k, index n, index run, Cuts cuts,
                                            In in, Out out, OfIn of_in, OfOut of_out) const {
    index const t = block.threads();
    index const tile = each * t;
    auto const first = k * tile;
    auto const exists = in_tile(first, n, tile);
    auto const inner = remainder_of_power(k, 2 * run / tile);
    auto const end_of_run = min((k - inner) * tile + run, n);
    auto const words = min(n - first, tile);
    // the places where the parts begin: the words before the second part's are subtracted
    auto const begins = block.template registers<index, 2>();
    auto const r = block.template registers<number, path::numbers>();
    block.each_thread(
        [=](auto i) {
          begins(i, 0) = load(cuts[k]);
          begins(i, 1) = end_of_run;
          auto const length = min(load(cuts[k + 1]), load(begins(i, 1))) - load(begins(i, 0));
          r(i, path::second) = as_number<number>(length);
          begins(i, 1) = first + end_of_run;
          begins(i, 1) = load(begins(i, 1)) - load(begins(i, 0)) - length;
        },
        no_barrier);
    parts_of_runs<Scatter> const parts{block.machine().width()};
    auto const place = [=](auto const& i, auto const& j) {
      return parts(i, j, load(r(i, path::second)), load(begins(i, 0)), load(begins(i, 1)));
    };
    auto const s = room_for<In>(block);
    auto const v = room_for<OfIn>(block);
    bring(block, first, n, in, exists, place, s);
    if constexpr (has_values<OfIn>) bring(block, first, n, of_in, exists, place, v);
    block.each(0, any_body{});  // a barrier
    merge_in_place(block, path::step_for(tile / 2), s, v, r, registers_for<In, each>(block),
                   registers_for<places<OfIn>, each>(block), registers_for<OfIn, each>(block),
                   [=](auto const& i) {
                     r(i, path::first) = number{0};
                     r(i, path::last) = as_number<number>(words);
                     r(i, path::diagonal) = as_number<number>(min(i * each, words));
                   });
    deliver(block, first, n, s, exists, out);
    if constexpr (has_values<OfIn>) deliver(block, first, n, v, exists, of_out);
    block.each(0, any_body{});  // a barrier
  }
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
