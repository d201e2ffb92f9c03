// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/index/element.hpp>

namespace mmm {

//! **Concept: layout.** The place of the element at (row, column) of a two-dimensional array in
//! memory: a word, counted from the array's first one.
//!
//! Minimal definition: `rows()`, `columns()`, `words()`, and `operator()(row, column)`, written
//! with the operators that integers, index expressions and warp-wide indices share, so that one
//! layout serves all interpretations of a body.
//!
//! Laws, for `0 <= row < rows()` and `0 <= column < columns()`:
//! - injective: two different elements never share a word;
//! - tight: the largest word is `words() - 1`; `words() == 0` exactly if there is no element;
//! - one meaning: `layout(e, f)(i) == layout(e(i), f(i))` for expressions `e` and `f`, and the same
//!   lane by lane for warp-wide indices.
//!
//! Outside of the shape, the formula is applied to numbers without a check. For index expressions,
//! a layout of the library returns an expression that knows row, column and shape, for mmm::inside
//! and mmm::assert_conflict_free.
//! Models: row_major, column_major, padded, xor_swizzled, rotated; any type of the user's that
//! obeys the laws.
template <class L>
concept layout = detail::copyable<L> && requires(L const& l, index i) {
  { l.rows() } -> detail::same_as<index>;
  { l.columns() } -> detail::same_as<index>;
  { l.words() } -> detail::same_as<index>;
  { l(i, i) } -> detail::same_as<index>;
};

namespace detail {

//! Refuses shapes that no array has, and those whose words 64 bits cannot number.
constexpr void require_shape(index rows, index columns, index pitch) {
  if (rows < 0) reject("a layout's number of rows", rows, "0 or more");
  if (columns < 0) reject("a layout's number of columns", columns, "0 or more");
  if (pitch > 0 && rows > INT64_MAX / pitch) reject_overflow("the words of a layout");
}

//! Words from one row to the next, with padding after each row. Rejects negative padding.
[[nodiscard]] constexpr index padded_pitch(index columns, index padding) {
  if (padding < 0) reject("a layout's padding", padding, "0 or more");
  return checked_add(columns, padding);
}

//! A coordinate as the operators want it: integers as mmm::index, so that nothing is computed in 32
//! bits; the rest as it is.
MMM_NO_SIDE_CHECK
template <class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto coordinate(T const& x) {
  if constexpr (integral<T>)
    return static_cast<index>(x);
  else
    return x;
}

}  // namespace detail

//! The shape of a two-dimensional array, and as many words as elements: the base class of the
//! library's layouts.
struct layout_shape {
  index row_count = 0;
  index column_count = 0;

  //! \param rows, columns shape in elements, 0 or more each; otherwise std::invalid_argument.
  //! std::overflow_error if 64 bits cannot number the words.
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr layout_shape(index rows, index columns)
      : layout_shape(rows, columns, columns) {}
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return row_count; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return column_count; }
  //! True if the array has no element.
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool empty() const {
    return row_count == 0 || column_count == 0;
  }
  //! Words of memory that the array takes up.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const { return row_count * column_count; }

  //! Compares shapes. Every layout has a comparison of its own; different layouts have none.
  template <detail::same_as<layout_shape> Shape>
  [[nodiscard]] friend constexpr bool operator==(Shape const& a, Shape const& b) {
    return a.row_count == b.row_count && a.column_count == b.column_count;
  }

 protected:
  //! A shape whose rows begin `pitch` words apart.
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr layout_shape(index rows, index columns, index pitch)
      : row_count(rows), column_count(columns) {
    detail::require_shape(rows, columns, pitch);
  }
};

}  // namespace mmm
