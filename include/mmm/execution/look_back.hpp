// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The accesses of look_back as the model sees them.
namespace mmm::detail {

//! One thread reads its tile's total, takes what the tile before it left, leaves the same with its
//! own total for the tile after it, and hands on what it took. A machine does not wait for the tile
//! before: it adds up the totals of some.
struct look_back_step {
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

}  // namespace mmm::detail
