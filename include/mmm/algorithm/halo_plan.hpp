// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/nodes.hpp>

//! Halo exchange: each node of a cluster gets the items that lie before and after its own block.
namespace mmm::detail {

//! The items around the ends of a node's block, in the order of the whole sequence: those of the
//! nodes before it, its own first ones, its own last ones, those of the nodes after it. Where there
//! are both, `leading == trailing`.
struct halo_window {
  index before = 0;    //!< items of other nodes
  index leading = 0;   //!< own items, from the first one on
  index trailing = 0;  //!< own items, up to the last one
  index after = 0;     //!< items of other nodes
  [[nodiscard]] constexpr index items() const { return before + leading + trailing + after; }
};

//! The first rank for which a condition holds that also holds for all later ranks; `nodes` if it
//! holds for none.
template <class Condition>
[[nodiscard]] constexpr index first_rank(index nodes, Condition const& holds) {
  index first = 0;
  for (index left = nodes; left > 0;) {
    index const half = left / 2;
    if (holds(first + half)) {
      left = half;
    } else {
      first += half + 1;
      left -= half + 1;
    }
  }
  return first;
}

//! The plan of an exchange that stores on each node the items of its window, one after the other.
//! It is the distribution of the array for them, too. Where blocks are smaller than the halo, items
//! come from several nodes.
//! \tparam Blocks consecutive blocks of items, with `words(r)` and `place(r, 0)`.
//! \tparam Window `window(r)` is the window of node r, without items where the block has none;
//! `window.halo()` is the largest number of items before or after a block.
template <class Blocks, class Window>
struct halo_plan {
  Blocks blocks;
  index nodes;
  index item;  //!< words of an item
  Window window;

  //! The words of a node's window.
  [[nodiscard]] constexpr index words(index r) const { return window(r).items() * item; }

  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    halo_window const w = window(s);
    if (r == s) {
      index const rows = (w.leading > 0 ? 1 : 0) + (w.trailing > 0 ? 1 : 0);
      index const of_last = (blocks.words(s) - w.trailing) * item;
      return {.source = w.leading > 0 ? 0 : of_last,
              .target = w.before * item,
              .words = larger(w.leading, w.trailing) * item,
              .rows = rows,
              .source_pitch = of_last,
              .target_pitch = w.leading * item};
    }
    index const start = r < s ? first(s) - w.before : end(s);
    index const from_item = larger(first(r), start);
    index const to_item = smaller(end(r), r < s ? first(s) : end(s) + w.after);
    if (from_item >= to_item) return {};
    index const in_window = r < s ? 0 : w.before + w.leading + w.trailing;
    return {.source = (from_item - first(r)) * item,
            .target = (in_window + from_item - start) * item,
            .words = (to_item - from_item) * item};
  }
  [[nodiscard]] constexpr rank_range receivers(index r) const {
    return around(first(r), end(r), window.halo());
  }
  [[nodiscard]] constexpr rank_range senders(index s) const {
    halo_window const w = window(s);
    return around(first(s), end(s), larger(w.before, w.after));
  }

 private:
  [[nodiscard]] constexpr index first(index r) const { return blocks.place(r, 0); }
  [[nodiscard]] constexpr index end(index r) const { return first(r) + blocks.words(r); }
  //! The nodes that have some of the items start - halo … stop + halo - 1.
  [[nodiscard]] constexpr rank_range around(index start, index stop, index halo) const {
    return {first_rank(nodes, [&](index r) { return end(r) > start - halo; }),
            first_rank(nodes, [&](index r) { return first(r) - halo >= stop; })};
  }
};

//! The distance of ranks whose nodes exchange items if blocks of almost equal size have halos of
//! `halo` items.
[[nodiscard]] constexpr index halo_reach(index items, index nodes, index halo) {
  index const smallest = items / nodes;
  return smallest == 0 ? nodes : smaller(nodes, ceil_divide(halo, smallest) + 1);
}

}  // namespace mmm::detail
