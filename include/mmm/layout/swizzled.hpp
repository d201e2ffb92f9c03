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
struct xor_swizzled : layout_shape {
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr xor_swizzled(index rows, index columns) : layout_shape(rows, columns) {
    if (columns < 1 || (columns & (columns - 1)) != 0)
      detail::reject("the number of columns of an xor_swizzled layout", columns, "a power of two");
  }

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
struct rotated : layout_shape {
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr rotated(index rows, index columns) : layout_shape(rows, columns) {
    if (columns < 1)
      detail::reject("the number of columns of a rotated layout", columns, "1 or more");
  }

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
