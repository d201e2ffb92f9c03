// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>

//! The tiles of matrices whose sides are not multiples of the tile's.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The place of a tile: its row and column among the tiles of a matrix, and the number of the
//! matrix.
template <class Row, class Column, class Matrix>
struct tile_place {
  Row row;
  Column column;
  Matrix matrix;
};
struct only_matrix {};

//! The tiles of one matrix, or of several of the same shape, in the order in which they are
//! assigned: first the whole tiles of all matrices, row by row; then, for each matrix, the tiles at
//! the right border, those at the bottom, and the corner. Programs therefore process `unguarded(d)`
//! tiles without checks for borders, and assign the last tiles together, so that no DMM is idle
//! before.
//! \tparam Batched true if there may be several matrices; the place of a tile then has the matrix's
//! number.
template <bool Batched = false>
struct tile_grid {
  index down;        //!< whole tiles in a column
  index across;      //!< whole tiles in a row
  index right;       //!< tiles at the right border, without the corner: `down` or none
  index at_borders;  //!< tiles at the borders of one matrix
  index whole;       //!< whole tiles in all matrices
  index count;       //!< all tiles

  //! The grid of matrices of `rows x columns` words in tiles of `tile_rows x tile_columns`.
  MMM_HOST_DEVICE constexpr tile_grid(index rows, index columns, index tile_rows,
                                      index tile_columns, index matrices = 1)
      : down(rows / tile_rows),
        across(columns / tile_columns),
        right(columns % tile_columns > 0 ? down : 0),
        at_borders(right + (rows % tile_rows > 0 ? ceil_divide(columns, tile_columns) : 0)),
        whole(down * across * matrices),
        count(whole + at_borders * matrices) {}

  //! Number of leading tiles that need no checks for borders: whole tiles, as many as d DMMs
  //! process in passes without an idle DMM; all tiles where none is at a border.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index unguarded(index d) const {
    return at_borders == 0 ? whole : whole / d * d;
  }
  //! The place of a whole tile.
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto whole_place(Tile const& tile) const {
    index const in_row = larger(1, across);
    if constexpr (Batched) {
      index const in_matrix = larger(1, down) * in_row;
      return placed(tile % in_matrix / in_row, tile % in_matrix % in_row, tile / in_matrix);
    } else {
      auto const row = tile / in_row;
      return placed(row, tile % in_row, only_matrix{});
    }
  }
  //! The place of any tile.
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto any_place(Tile const& tile) const {
    auto const within = whole_place(tile);
    auto const is_whole = tile < whole;
    auto const outer = tile - whole;
    if constexpr (Batched) {
      index const of_matrix = larger(1, at_borders);
      auto const number = outer % of_matrix;
      return placed(select(is_whole, within.row, row_at_border(number)),
                    select(is_whole, within.column, column_at_border(number)),
                    select(is_whole, within.matrix, outer / of_matrix));
    } else {
      return placed(select(is_whole, within.row, row_at_border(outer)),
                    select(is_whole, within.column, column_at_border(outer)), only_matrix{});
    }
  }

 private:
  template <class Row, class Column, class Matrix>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto placed(Row const& row, Column const& column,
                                                             Matrix const& matrix) {
    return tile_place<Row, Column, Matrix>{row, column, matrix};
  }
  //! The row, and below the column, of the k-th tile at a border.
  template <class Number>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto row_at_border(Number const& k) const {
    return select(k < right, k, index{down});
  }
  template <class Number>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto column_at_border(Number const& k) const {
    return select(k < right, index{across}, k - right);
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
