// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The accesses of look_back, publish_sums and sums_before as the model sees them.
namespace mmm::detail {

//! The model's look-back, by one thread: it reads its tile's total and the prefix of the tile
//! before, writes its own prefix for the next tile, and replaces the total by the prefix that it
//! read. A GPU does not wait for the tile before: it adds up the totals of several predecessors.
struct look_back_step {
  static constexpr index at_once = 32;  //!< states that a kernel inspects at once
  template <class Block, class State, class Tile, class Word, class Operator>
  constexpr void operator()(Block const& block, State state, Tile tile, Word word,
                            Operator op) const {
    block.each(1, [=](auto i) {
      auto const follows = tile > 0;
      auto const own = load(word[i]);
      auto const before = load_if(follows, state[tile - 1 + i], own);
      state[tile + i] = select(follows, apply(op, before, own), own);
      store_if(follows, word[i], before);
    });
  }
};

//! Every thread publishes the numbers of its items.
struct publish_sums_step {
  template <class Block, class Sums, class Tile, class Numbers>
  constexpr void operator()(Block const& block, Sums sums, Tile tile, Numbers own, index n) const {
    block.each(n, [=](auto j) { sums[tile * n + j] = load(own[j]); }, no_barrier);
  }
};
//! The accesses of look_back_step for n numbers, by the threads of n items.
struct sums_before_step {
  static constexpr index at_once = 4;  //!< sums of one digit that a kernel inspects at once
  template <class Block, class Sums, class Tile, class Numbers, class Results>
  constexpr void operator()(Block const& block, Sums sums, Tile tile, Numbers own, Results before,
                            index n) const {
    using number = typename Results::value_type;
    block.each(
        n,
        [=](auto j) {
          auto const x = load(own[j]);
          auto const sum = load_if(tile > 0, sums[(tile - 1) * n + j], number{});
          sums[tile * n + j] = sum + x;
          before[j] = sum;
        },
        no_barrier);
  }
};

}  // namespace mmm::detail
