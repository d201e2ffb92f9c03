// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Layouts by strides, and tile by tile.
namespace mmm {

//! Any strides: (row, column) is word `row * row_stride + column * column_stride`.
//! \param rows, columns shape in elements, 0 or more. \param row_step, column_step words from one
//! to the next, 1 or more, and such that no two elements share a word; otherwise
//! std::invalid_argument.
struct strided : layout_shape {
  index row_step = 1;     //!< words from one row to the next
  index column_step = 1;  //!< words from one column to the next

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr strided(index rows, index columns, index row_stride,
                                    index column_stride)
      : layout_shape(rows, columns, 0), row_step(row_stride), column_step(column_stride) {
    if (row_stride < 1) detail::reject("a layout's row stride", row_stride, "1 or more");
    if (column_stride < 1) detail::reject("a layout's column stride", column_stride, "1 or more");
    index const common = detail::gcd(row_stride, column_stride);
    if (column_stride / common < rows && row_stride / common < columns)
      detail::reject("a layout's row stride", row_stride,
                     "strides by which no two elements share a word");
    if (rows > 0 && columns > 0)
      static_cast<void>(detail::checked_add(detail::checked_multiply(rows, row_stride),
                                            detail::checked_multiply(columns, column_stride)));
  }
  //! Words of memory that the array takes up, from its first to its last element.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    if (empty()) return 0;
    return (row_count - 1) * row_step + (column_count - 1) * column_step + 1;
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return detail::element(
        *this, row, column,
        detail::coordinate(row) * row_step + detail::coordinate(column) * column_step);
  }
  friend constexpr bool operator==(strided const&, strided const&) = default;
};

//! Tile by tile, tiles and the elements of each row by row: the "core matrices" of tensor-core
//! operands. \param rows, columns shape in elements, multiples of the tile's. \param tile_rows,
//! tile_columns 1 or more; otherwise std::invalid_argument.
struct blocked : layout_shape {
  index tile_row_count = 1;
  index tile_column_count = 1;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr blocked(index rows, index columns, index tile_rows, index tile_columns)
      : layout_shape(rows, columns), tile_row_count(tile_rows), tile_column_count(tile_columns) {
    if (tile_rows < 1) detail::reject("the rows of a layout's tiles", tile_rows, "1 or more");
    if (tile_columns < 1)
      detail::reject("the columns of a layout's tiles", tile_columns, "1 or more");
    static_cast<void>(detail::checked_multiply(tile_rows, tile_columns));
    static_cast<void>(detail::checked_multiply(tile_rows, columns));
    if (rows % tile_rows != 0)
      detail::reject("a blocked layout's number of rows", rows, "multiples of its tiles'");
    if (columns % tile_columns != 0)
      detail::reject("a blocked layout's number of columns", columns, "multiples of its tiles'");
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const r = detail::coordinate(row);
    auto const c = detail::coordinate(column);
    index const tile = tile_row_count * tile_column_count;
    return detail::element(*this, row, column,
                           r / tile_row_count * (column_count * tile_row_count) +
                               c / tile_column_count * tile +
                               r % tile_row_count * tile_column_count + c % tile_column_count);
  }
  friend constexpr bool operator==(blocked const&, blocked const&) = default;
};

}  // namespace mmm
