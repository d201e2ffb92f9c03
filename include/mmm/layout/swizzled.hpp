// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Layouts that permute the elements within each row, so that rows and columns alike are spread
//! over the banks without a word of padding.
namespace mmm {

//! Row by row, the column's bits flipped by the row's: (row, column) is word
//! `row * columns + (column ^ (row % columns))`. \param rows, columns shape in elements; columns a
//! power of two, else std::invalid_argument.
//! Stages on a DMM of width w = columns: one for every row and every column.
struct xor_swizzled {
  index row_count = 0;
  index column_count = 1;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr xor_swizzled(index rows, index columns)
      : row_count(rows), column_count(columns) {
    if (columns < 1 || (columns & (columns - 1)) != 0)
      detail::reject("the number of columns of an xor_swizzled layout", columns, "a power of two");
    detail::require_shape(rows, columns, columns);
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return row_count; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return column_count; }
  //! Words of memory that the array takes up.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const { return row_count * column_count; }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const r = detail::coordinate(row);
    return detail::element(*this, row, column,
                           r * column_count + (detail::coordinate(column) ^ (r % column_count)));
  }
  friend constexpr bool operator==(xor_swizzled const&, xor_swizzled const&) = default;
};

//! Row by row, each row rotated by its number (the diagonal arrangement of Nakano 2012):
//! (row, column) is word `row * columns + (column + row) % columns`.
//! \param rows, columns shape in elements, 0 rows or more and 1 column or more; otherwise
//! std::invalid_argument. Stages on a DMM of width w = columns: one for every row and every column.
struct rotated {
  index row_count = 0;
  index column_count = 1;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr rotated(index rows, index columns)
      : row_count(rows), column_count(columns) {
    if (columns < 1)
      detail::reject("the number of columns of a rotated layout", columns, "1 or more");
    detail::require_shape(rows, columns, columns);
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return row_count; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return column_count; }
  //! Words of memory that the array takes up.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const { return row_count * column_count; }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const r = detail::coordinate(row);
    return detail::element(*this, row, column,
                           r * column_count + (detail::coordinate(column) + r) % column_count);
  }
  friend constexpr bool operator==(rotated const&, rotated const&) = default;
};

}  // namespace mmm
