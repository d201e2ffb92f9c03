// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>

//! The tiles of a matrix that tiles do not divide.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The row and the column of a tile among the tiles of a matrix.
template <class Row, class Column>
struct tile_place {
  Row row;
  Column column;
};
template <class Row, class Column>
tile_place(Row, Column) -> tile_place<Row, Column>;

//! The tiles of a matrix in the order in which they are dealt: first those that are whole, row by
//! row; behind them those at the right border, those at the bottom, and the corner. So programs
//! can take `unguarded(d)` tiles without looking at borders, and leave no DMM idle before the last
//! ones, which are dealt together.
struct tile_grid {
  index down;    //!< whole tiles in a column
  index across;  //!< and in a row
  index right;   //!< tiles at the right border, without the corner: `down` or none
  index whole;
  index count;  //!< in all

  //! Of a matrix of `rows x columns` words in tiles of `tile_rows x tile_columns`.
  MMM_HOST_DEVICE constexpr tile_grid(index rows, index columns, index tile_rows,
                                      index tile_columns)
      : down(rows / tile_rows),
        across(columns / tile_columns),
        right(columns % tile_columns > 0 ? down : 0),
        whole(down * across),
        count(whole + right +
              (rows % tile_rows > 0 ? across + (columns % tile_columns > 0 ? 1 : 0) : 0)) {}

  //! Of the first tiles, all of them whole, as many as d DMMs take in passes without an idle one;
  //! all tiles where none is at a border.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index unguarded(index d) const {
    return count == whole ? whole : whole / d * d;
  }
  //! Where a whole tile is.
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto whole_place(Tile const& tile) const {
    index const columns = across > 0 ? across : 1;
    auto const row = tile / columns;
    return tile_place{row, tile - row * columns};
  }
  //! Where any tile is.
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto any_place(Tile const& tile) const {
    auto const within = whole_place(tile);
    auto const is_whole = tile < whole;
    auto const number = tile - whole;
    auto const at_right = number < right;
    return tile_place{
        select(is_whole, within.row, select(at_right, number, index{down})),
        select(is_whole, within.column, select(at_right, index{across}, number - right))};
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
