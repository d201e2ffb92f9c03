// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Layouts whose word is linear in row and column.
namespace mmm {

//! Row by row: the element at (row, column) is word `row * columns + column`.
//! \param rows, columns shape in elements, 0 or more each; otherwise std::invalid_argument.
//! Stages on a machine of width w: a row, one stage; a column on a DMM, min(w, rows) / (w /
//! gcd(columns, w)) rounded up.
struct row_major : layout_shape {
  using layout_shape::layout_shape;

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return detail::element(*this, row, column,
                           detail::coordinate(row) * column_count + detail::coordinate(column));
  }
  friend constexpr bool operator==(row_major const&, row_major const&) = default;
};

//! Column by column: the element at (row, column) is word `column * rows + row`. Otherwise as
//! row_major.
struct column_major : layout_shape {
  using layout_shape::layout_shape;

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return detail::element(*this, row, column,
                           detail::coordinate(column) * row_count + detail::coordinate(row));
  }
  friend constexpr bool operator==(column_major const&, column_major const&) = default;
};

//! Row by row with unused words after each row: (row, column) is word
//! `row * (columns + padding) + column`.
//! One word of padding makes columns of a tile free of bank conflicts where columns is a multiple
//! of the width.
//! \param rows, columns shape in elements.
//! \param padding words after each row but the last, 0 or more.
struct padded : layout_shape {
  index padding_count = 0;  //!< words after each row but the last

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr padded(index rows, index columns, index padding)
      : layout_shape(rows, columns, detail::padded_pitch(columns, padding)),
        padding_count(padding) {}
  //! Words from one row to the next.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index pitch() const {
    return column_count + padding_count;
  }
  //! Words of memory that the array takes up; the last row has no padding.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    return empty() ? 0 : (row_count - 1) * pitch() + column_count;
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return detail::element(*this, row, column,
                           detail::coordinate(row) * pitch() + detail::coordinate(column));
  }
  friend constexpr bool operator==(padded const&, padded const&) = default;
};

}  // namespace mmm
