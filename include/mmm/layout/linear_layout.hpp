// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Layouts that permute the elements of a tile by a map that is linear over F2, the field of two
//! elements: every swizzle is one.
namespace mmm {

namespace detail {

//! The number of bits of an offset that linear maps take.
inline constexpr int max_linear_bits = 30;

//! The k with `2^k == n`; refuses other numbers of rows or columns.
[[nodiscard]] constexpr int log2_of_side(char const* side, index n) {
  if (n < 1 || (n & (n - 1)) != 0) reject(side, n, "a power of two");
  return bit_width(n) - 1;
}

//! Independent vectors over F2, bit by bit as numbers.
struct independent_vectors {
  index row[max_linear_bits + 1] = {};       //!< by its highest bit; 0: none
  index combined[max_linear_bits + 1] = {};  //!< the vectors added whose sum the row is
  int size = 0;

  //! The part of x that is no sum of the vectors; adds to `sum` those whose sum the other part is.
  [[nodiscard]] constexpr index reduce(index x, index& sum) const {
    while (x != 0) {
      int const top = bit_width(x) - 1;
      if (row[top] == 0) break;
      x ^= row[top];
      sum ^= combined[top];
    }
    return x;
  }
  //! Adds x as the next vector; false if it is a sum of the others.
  constexpr bool add(index x) {
    index sum = 0;
    index const rest = reduce(x, sum);
    if (rest == 0) return false;
    int const top = bit_width(rest) - 1;
    row[top] = rest;
    combined[top] = sum ^ (index{1} << size++);
    return true;
  }
  //! The vectors whose sum x is, as bits; x is in the span of all.
  [[nodiscard]] constexpr index coordinates(index x) const {
    index sum = 0;
    static_cast<void>(reduce(x, sum));
    return sum;
  }
};

}  // namespace detail

//! An invertible map of offsets 0 … 2^bits - 1 that is linear over F2: the offset of a sum (by
//! exclusive or) is the sum of the offsets. Given by the images of the offsets 1, 2, 4, ….
struct linear_map {
  int bits = 0;
  index image[detail::max_linear_bits] = {};

  //! The map that changes nothing. \param bit_count 0 to 30, otherwise std::invalid_argument.
  constexpr explicit linear_map(int bit_count = 0) : bits(bit_count) {
    if (bits < 0 || bits > detail::max_linear_bits)
      detail::reject("the bits of a linear map", bits, "0 to 30");
    for (int i = 0; i < bits; ++i) image[i] = index{1} << i;
  }
  //! The image of an offset. Time: O(bits).
  [[nodiscard]] constexpr index operator()(index x) const {
    index offset = 0;
    for (int i = 0; i < bits; ++i) offset ^= (x >> i & 1) != 0 ? image[i] : 0;
    return offset;
  }
  //! The dimension of the images: `bits` if the map is invertible. -1 if an image leaves the bits.
  [[nodiscard]] constexpr int rank() const {
    detail::independent_vectors images;
    for (int i = 0; i < bits; ++i) {
      if (image[i] < 0 || image[i] >> bits != 0) return -1;
      images.add(image[i]);
    }
    return images.size;
  }
  friend constexpr bool operator==(linear_map const&, linear_map const&) = default;
};

//! Row by row, the offsets through an invertible linear map, or with padding after each row.
//! \tparam Bits the bits of an offset: 2^Bits is the number of elements.
//! \param rows, columns powers of two. \param map invertible and of Bits bits; or \param padding
//! words after each row but the last, 0 or more. Otherwise std::invalid_argument.
template <int Bits>
struct linear_layout : layout_shape {
  static_assert(0 <= Bits && Bits <= detail::max_linear_bits,
                "mmm: a linear layout has 1 to 2^30 elements: <Bits>");
  linear_map map{Bits};
  index padding = 0;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr linear_layout(index rows, index columns, linear_map const& by)
      : layout_shape(rows, columns), map(by) {
    require_bits();
    if (map.bits != Bits) detail::reject("the bits of a linear layout's map", map.bits, "Bits");
    if (map.rank() != Bits)
      detail::reject("the rank of a linear layout's map", map.rank(),
                     "the number of its bits, as of an invertible map");
  }
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr linear_layout(index rows, index columns, index padding_words = 0)
      : layout_shape(rows, columns, detail::padded_pitch(columns, padding_words)),
        padding(padding_words) {
    require_bits();
  }
  //! Words from one row to the next.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index pitch() const { return column_count + padding; }
  //! Words of memory that the array takes up; the last row has no padding.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    return (row_count - 1) * pitch() + column_count;
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const x = detail::coordinate(row) * pitch() + detail::coordinate(column);
    return detail::element(*this, row, column, flipped<0>(x, x));
  }
  friend constexpr bool operator==(linear_layout const&, linear_layout const&) = default;

 private:
  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr void require_bits() const {
    int const bits = detail::log2_of_side("a linear layout's number of rows", row_count) +
                     detail::log2_of_side("a linear layout's number of columns", column_count);
    if (bits != Bits)
      detail::reject("the number of elements of a linear layout", row_count * column_count,
                     "2^Bits");
  }
  //! `offset`, with the bits flipped that bit I of the offset x and the bits above it flip.
  MMM_NO_SIDE_CHECK
  template <int I, class X, class Offset>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto flipped(X const& x, Offset const& offset) const {
    if constexpr (I == Bits)
      return offset;
    else
      return flipped<I + 1>(
          x, offset ^ ((x >> index{I}) & index{1}) * index{map.image[I] ^ (index{1} << I)});
  }
};

}  // namespace mmm
