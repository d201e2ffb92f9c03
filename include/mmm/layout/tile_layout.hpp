// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Paddings and swizzles as values of one type, so that many of them can be tried.
namespace mmm {

//! The bits of a swizzle (mmm::swizzle) as a value; no bits: none.
struct swizzle_bits {
  int bits = 0;
  int base = 0;
  int shift = 0;  //!< relative to base, `bits` or more
  //! The swizzled offset.
  MMM_NO_SIDE_CHECK
  template <class Offset>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Offset const& x) const {
    index const ones = (index{1} << bits) - 1;
    index const source_bit = base + shift;
    return x ^ (((x >> source_bit) & ones) << index{base});
  }
  friend constexpr bool operator==(swizzle_bits const&, swizzle_bits const&) = default;
};

//! Row by row, with padding after each row or with a swizzle of the offsets: mmm::padded and
//! mmm::swizzled as one type. \param rows, columns shape in elements. \param padding words after
//! each row but the last, 0 or more. \param through a swizzle whose block, 2^(base + bits), divides
//! the words, and is then not combined with padding; otherwise std::invalid_argument.
struct tile_layout : layout_shape {
  index padding = 0;
  swizzle_bits through;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr tile_layout(index rows, index columns, index padding_words = 0,
                                        swizzle_bits s = {})
      : layout_shape(rows, columns, detail::padded_pitch(columns, padding_words)),
        padding(padding_words),
        through(s) {
    if (s.bits == 0) return;
    if (padding_words != 0) detail::reject("the padding of a swizzled layout", padding_words, "0");
    if (s.bits < 0 || s.base < 0 || s.shift < s.bits || s.base + s.shift + s.bits > 62)
      detail::reject("the shift of a swizzle", s.shift, "its bits or more, all of them within 62");
    if (rows * columns % (index{1} << (s.base + s.bits)) != 0)
      detail::reject("the number of words of a swizzled layout", rows * columns,
                     "multiples of the swizzle's block");
  }
  //! Words from one row to the next.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index pitch() const { return column_count + padding; }
  //! Words of memory that the array takes up; the last row has no padding.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    return empty() ? 0 : (row_count - 1) * pitch() + column_count;
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const x = detail::coordinate(row) * pitch() + detail::coordinate(column);
    return detail::element(*this, row, column, through(x));
  }
  friend constexpr bool operator==(tile_layout const&, tile_layout const&) = default;
};

}  // namespace mmm
