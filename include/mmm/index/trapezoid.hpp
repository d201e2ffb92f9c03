// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Pairs of a row and a column whose rows have equal lengths at first and get shorter by one each
//! later on.
namespace mmm {

//! Rows 0 … rows - 1, of which row i has the columns 0 … min(columns, diagonal - i) - 1 (none where
//! that is negative): a rectangle whose corner is cut off by a diagonal. `{n, n, n}` is a triangle,
//! `{n, k, n + k}` a rectangle. A parallel-for numbers the pairs row by row, without idle items.
struct trapezoid {
  index rows;
  index columns;
  index diagonal;

  struct place {
    index row;
    index column;
  };

  [[nodiscard]] MMM_HOST_DEVICE constexpr index length(index row) const {
    return detail::larger(0, detail::smaller(columns, diagonal - row));
  }
  //! The rows that have items: the first ones.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows_in_use() const {
    return columns <= 0 ? 0 : detail::larger(0, detail::smaller(rows, diagonal));
  }
  //! The rows of full length: the first ones.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index full_rows() const {
    return detail::larger(0, detail::smaller(rows_in_use(), diagonal - columns + 1));
  }
  //! The items of the rows before one in use.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index items_before(index row) const {
    index const full = full_rows();
    if (row <= full) return row * columns;
    index const shorter = row - full;
    return full * columns + shorter * (diagonal - full) - shorter * (shorter - 1) / 2;
  }
  //! All items. Overflow: a compile error in a constant expression, else std::overflow_error.
  [[nodiscard]] constexpr index items() const {
    index const used = rows_in_use();
    if (used == 0) return 0;
    // more than there are
    static_cast<void>(detail::checked_multiply(detail::checked_multiply(2, used), length(0)));
    return items_before(used);
  }
  //! The row and the column of an item, `0 <= number < items()`. Time: O(log rows) steps.
  [[nodiscard]] MMM_HOST_DEVICE constexpr place at(index number) const {
    index first = full_rows();
    if (number < first * columns) return {number / columns, number % columns};
    for (index last = rows_in_use(); last - first > 1;) {
      index const middle = first + (last - first) / 2;
      (items_before(middle) <= number ? first : last) = middle;
    }
    return {first, number - items_before(first)};
  }
  friend constexpr bool operator==(trapezoid const&, trapezoid const&) = default;
};

}  // namespace mmm
