// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/number_list.hpp>
#include <mmm/cost/warp_boundaries.hpp>

namespace mmm::detail {

//! The stages of the separate rows of trapezoids of one class (see trapezoid_sums), in tables of
//! one row for each pair of residues.
template <int W>
class examined_rows {
 public:
  static constexpr bool asks = false;

  constexpr examined_rows(warp_boundaries<W> const& in, index row_step, index turn)
      : in_(in),
        row_residue_(floor_modulo(row_step, in.w)),
        turn_(turn),
        cycles_(turn / in.items),
        quick_(in.chunk + in.w <= (index{1} << 32) / (2 * in.w)),
        inverse_((index{1} << 32) / in.w + 1) {}

  //! Begins a class. Its rows of full length have `length` items in the trapezoid that begins at
  //! `base`, and there are `max_whole` of them at most. Its shorter rows have `max_shorter` items
  //! at most; the row of one item ends at the item `end` and begins at `last_address`.
  //! Time: O(max_whole + max_shorter) steps, or O(turn) if there are fewer.
  constexpr void begin(index max_whole, index length, index base, index max_shorter, index end,
                       index last_address) {
    examine_whole(smaller(max_whole, in_.items), length, base);
    examine_shorter(smaller(max_shorter, turn_), end, last_address);
  }
  //! Stages of the first `count` rows of full length, which is `times` times in.items more than
  //! that of begin().
  [[nodiscard]] constexpr index whole(index count, index times) const {
    return whole_.repeated(count, in_.items, times);
  }
  //! Stages of the rows of 1 … count items.
  [[nodiscard]] constexpr index shorter(index count) const {
    return shorter_.growing(count, turn_);
  }

 private:
  warp_boundaries<W> const& in_;
  index row_residue_;
  index turn_;
  index cycles_;                  //!< turn_ in cycles of in_.items
  bool quick_;                    //!< inverse_ divides numbers of a chunk's items by w
  index inverse_;                 //!< a little more than 2^32 / w
  prefix_sums_of_terms whole_;    //!< of rows of full length
  prefix_sums_of_terms shorter_;  //!< of the others, from the one of length 1 on

  //! The begin or end of a row: a chunk, modulo in_.chunks, and an item in it.
  struct edge {
    index chunk;
    index item;   //!< in the chunk
    index warps;  //!< that begin before it in the chunk
  };
  [[nodiscard]] constexpr edge edge_at(index chunk, index item) const {
    index const warps =
        quick_ ? ((item + in_.w - 1) * inverse_) >> 32 : ceil_divide(item, in_.w);  // the same
    return {chunk, item, warps};
  }
  [[nodiscard]] constexpr edge edge_of(index item) const {
    index const rest = floor_modulo(item, in_.items);
    return edge_at(rest / in_.chunk, rest % in_.chunk);
  }

  //! Stages of a row from one edge to another, `whole` times in_.items further if that is not the
  //! difference. \param address of the first item, modulo w \param class_of_row address less
  //! column_step times the item, modulo w \param groups of the row if it began where a group does
  [[nodiscard]] constexpr index stages(edge const& begin, edge const& end, index whole,
                                       index address, index class_of_row, index groups) const {
    if (in_.scattered) return groups;
    auto const& cut = in_.cut[class_of_row];
    index const before =
        in_.warps * cut[begin.chunk] + (cut[begin.chunk + 1] - cut[begin.chunk]) * begin.warps;
    index const after = in_.warps * (whole * cut[in_.chunks] + cut[end.chunk]) +
                        (cut[end.chunk + 1] - cut[end.chunk]) * end.warps;
    bool const begins_warp = begin.warps * in_.w == begin.item;
    return groups + after - before - (begins_warp && address >= in_.column_step);
  }

  //! Sets the stages of rows 0 … count - 1 of full length.
  constexpr void examine_whole(index count, index length, index base) {
    whole_.clear(count);
    index const periods = length / in_.items;
    index const chunks = length % in_.items / in_.chunk;
    index const rest = length % in_.items % in_.chunk;
    index const groups = in_.column_step * (length - 1) / in_.w;
    index const over = in_.column_step * (length - 1) % in_.w;
    index const step =
        floor_modulo(row_residue_ - in_.column_residue * (length % in_.w), in_.w);  // of the class
    index address = floor_modulo(base, in_.w);
    index own = address;
    edge begin = edge_at(0, 0);
    for (index row = 0; row < count; ++row) {
      index item = begin.item + rest;
      index chunk = begin.chunk + chunks;
      index whole = periods;
      if (item >= in_.chunk) {
        item -= in_.chunk;
        ++chunk;
      }
      if (chunk >= in_.chunks) {
        chunk -= in_.chunks;
        ++whole;
      }
      edge const end = edge_at(chunk, item);
      whole_.add(stages(begin, end, whole, address, own,
                        in_.scattered ? length : groups + 1 + (address + over >= in_.w)),
                 in_.growth(own));
      begin = end;
      if ((address += row_residue_) >= in_.w) address -= in_.w;
      if ((own += step) >= in_.w) own -= in_.w;
    }
  }
  //! Sets the stages of rows of 1 … count items, the first of which ends at the item `end_item` of
  //! a trapezoid and begins at `address`.
  constexpr void examine_shorter(index count, index end_item, index address) {
    shorter_.clear(count);
    edge end = edge_of(end_item);
    address = floor_modulo(address, in_.w);
    index own =
        floor_modulo(address - in_.column_residue * floor_modulo(end_item - 1, in_.w), in_.w);
    index periods = 0;  // of a row's length
    index chunks = 0;
    index rest = 0;
    index groups = 0;
    index over = -in_.column_step;
    index longer = 2 * in_.column_residue % in_.w;  // the column step times the next length
    for (index length = 1; length <= count; ++length) {
      if (++rest == in_.chunk) {
        rest = 0;
        if (++chunks == in_.chunks) {
          chunks = 0;
          ++periods;
        }
      }
      over += in_.column_step;
      if (!in_.scattered && over >= in_.w) {
        over -= in_.w;
        ++groups;
      }
      index item = end.item - rest;
      index chunk = end.chunk - chunks;
      index whole = periods;
      if (item < 0) {
        item += in_.chunk;
        --chunk;
      }
      if (chunk < 0) {
        chunk += in_.chunks;
        ++whole;
      }
      edge const begin = edge_at(chunk, item);
      shorter_.add(stages(begin, end, whole, address, own,
                          in_.scattered ? length : groups + 1 + (address + over >= in_.w)),
                   cycles_ * in_.growth(own));
      end = begin;
      // the row before is one item longer
      if ((address -= row_residue_) < 0) address += in_.w;
      if ((own -= row_residue_) < 0) own += in_.w;
      if ((own += longer) >= in_.w) own -= in_.w;
      if ((longer += in_.column_residue) >= in_.w) longer -= in_.w;
    }
  }
};

}  // namespace mmm::detail
