// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/line_sums.hpp>

//! The boundaries of warps in rows of items whose addresses are `column_step` apart, where `chunk`
//! threads handle `chunk` items at a time.
//!
//! A boundary cuts an address group if the item before it is in the same group. That depends on the
//! chunk modulo `chunks` and on the *class* of the row, its first address less `column_step` times
//! its first item, modulo w.
namespace mmm::detail {

template <int W>
struct warp_boundaries {
  //! Stages of some rows, and how many they take more for each `items` items more in a row.
  struct amount {
    index stages = 0;
    index growth = 0;
  };

  index w;
  index column_step;
  index chunk;                      //!< items after which a warp begins in any case
  index warps;                      //!< of a chunk
  index chunks;                     //!< after which the residues are the same again
  index items;                      //!< of these chunks
  index column_residue;             //!< of column_step modulo w
  bool scattered;                   //!< a group for each item
  index groups_of_items;            //!< that `items` items more in a row add
  std::uint8_t cut[W][W + 1] = {};  //!< by class: the chunks before one whose boundaries cut groups
  int chunk_at[W] = {};             //!< by residue: the chunk that begins there, or -1 for none

  constexpr warp_boundaries(index width, index threads, index step)
      : w(width),
        column_step(step),
        chunk(threads % w == 0 ? w : threads),
        warps(ceil_divide(chunk, w)),
        chunks(w / gcd(chunk, w)),
        items(checked_multiply(chunk, chunks)),
        column_residue(floor_modulo(step, w)),
        scattered(step >= w),
        groups_of_items(scattered ? items : step * (items / w)) {
    for (index e = 0; e < w; ++e) {
      chunk_at[e] = -1;
      for (index c = 0; c < chunks; ++c)
        cut[e][c + 1] = static_cast<std::uint8_t>(
            cut[e][c] +
            (!scattered && (e + column_residue * (c * (chunk % w) % w)) % w >= column_step));
    }
    for (index c = 0; c < chunks; ++c) chunk_at[c * (chunk % w) % w] = static_cast<int>(c);
  }

  //! Boundaries at the items 0 … item - 1.
  [[nodiscard]] constexpr index before(index item) const {
    index const rest = floor_modulo(item, chunk);
    return floor_divide(item, chunk) * warps + ceil_divide(rest, w);
  }
  //! Calls `visit(c)` for the chunks 0 … chunks - 1 whose boundaries cut no group of a row.
  template <class Visit>
  constexpr void for_each_uncut(index class_of_row, Visit visit) const {
    if (cut[class_of_row][chunks] == chunks) return;
    for (index c = 0; c < chunks; ++c)
      if (cut[class_of_row][c + 1] == cut[class_of_row][c]) visit(c);
  }
  //! Growth of a row's stages.
  [[nodiscard]] constexpr index growth(index class_of_row) const {
    return groups_of_items + warps * cut[class_of_row][chunks];
  }

  //! The first `count` rows of `length` items each, the first of which begins at the item 0 and at
  //! the address `base`; they are separate (see row_walk). Rows w apart are of one class, and their
  //! first items an arithmetic sequence. Time: O(w log items) steps.
  [[nodiscard]] constexpr amount equal_rows(index count, index length, index base,
                                            index row_step) const {
    if (scattered) return {count * length, count * items};
    index const groups = column_step * (length - 1) / w;
    index const over = column_step * (length - 1) % w;
    amount sum{count * (groups + 1) + before(count * length), 0};
    for (index row = 0; row < smaller(w, count); ++row) {
      index const rows = (count - 1 - row) / w + 1;
      index const address = floor_modulo(base + floor_modulo(row_step, w) * row, w);
      index const own = floor_modulo(address - column_residue * (length % w * row % w), w);
      sum.stages += address + over >= w ? rows : 0;
      sum.growth += rows * growth(own);
      // boundaries of the chunks c, c + chunks, … before an item of each row
      index const period = items / w;
      auto const first = [&](index c, index item) {
        return ceil_divide(item + items - c * chunk, w);
      };
      auto const in_chunks = [&](index c, index item) {
        return static_cast<index>(rows == period
                                      ? sum_taken_of_period(length, first(c, item), period, warps)
                                      : sum_taken(rows, length, first(c, item), period, warps));
      };
      for_each_uncut(own, [&](index c) {
        sum.stages -= in_chunks(c, (row + 1) * length) - in_chunks(c, row * length);
      });
      index const c = chunk_at[row * length % w];
      if (address >= column_step && c >= 0) {  // less the rows that begin a warp
        index const origin = first(c, row * length);
        sum.stages -=
            rows - static_cast<index>(sum_quotients(rows, length, origin + period - warps, period) -
                                      sum_quotients(rows, length, origin, period));
      }
    }
    return sum;
  }
};

}  // namespace mmm::detail
