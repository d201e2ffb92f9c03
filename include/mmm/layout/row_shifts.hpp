// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/layout/layout.hpp>

//! Layouts whose rows are rotated by a table of amounts: the random address shifts of Nakano,
//! Matsumae and Ito 2013.
namespace mmm {

namespace detail {

//! Number of bits of the numbers 0 … n - 1, at least 1.
[[nodiscard]] constexpr int bits_below(index n) {
  int bits = 1;
  while ((index{1} << bits) < n) ++bits;
  return bits;
}

//! A sequence of pseudo-random numbers that is the same with every compiler (Steele, Lea and Flood
//! 2014).
class split_mix {
 public:
  constexpr explicit split_mix(std::uint64_t seed) : state_(seed) {}
  //! One of 0 … n - 1, all equally likely.
  [[nodiscard]] constexpr index below(index n) {
    auto const m = static_cast<std::uint64_t>(n);
    std::uint64_t const first = (0 - m) % m;  // of the numbers that are accepted: a multiple of m
    for (;;)
      if (std::uint64_t const x = next(); x >= first) return static_cast<index>(x % m);
  }

 private:
  [[nodiscard]] constexpr std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  std::uint64_t state_;
};

//! A random permutation of 0 … n - 1.
constexpr void shuffle(split_mix& numbers, index* values, index n) {
  for (index i = 0; i < n; ++i) {
    index const j = numbers.below(i + 1);
    values[i] = values[j];
    values[j] = i;
  }
}

}  // namespace detail

//! The random address shift of a matrix: the amount by which its rows are rotated.
enum class shift_scheme {
  none,  //!< no row is rotated
  ras,   //!< random address shift: each row by an independent random amount
  rap    //!< random address permute-shift: row i by s(i), s a random permutation of 0 … w - 1
};

//! An amount for each of W rows, and for row i >= W that of row i % W. The amounts are packed in
//! one register per 63 / ceil(log W) rows, so that they are looked up without an access to memory;
//! `shifts(row)` is an index expression for an index expression, and a number for a number.
//! \tparam W number of columns of the matrix, 1 to 64; the amounts are 0 … W - 1.
template <index W>
struct row_shifts {
  static_assert(1 <= W && W <= 64, "mmm: the width of row_shifts is 1 to 64");
  static constexpr int bits = detail::bits_below(W);
  static constexpr index in_word = 63 / bits;  //!< amounts in a word
  static constexpr int words = static_cast<int>((W + in_word - 1) / in_word);
  index word[words] = {};

  //! No shift.
  constexpr row_shifts() = default;
  //! Shifts row i by `amounts[i]`. Errors: std::invalid_argument unless they are 0 … W - 1.
  constexpr explicit row_shifts(index const (&amounts)[W]) {
    for (index i = 0; i < W; ++i) {
      if (amounts[i] < 0 || amounts[i] >= W)
        detail::reject("the shift of a row", amounts[i], "0 to the number of columns - 1");
      word[i / in_word] |= amounts[i] << (i % in_word * bits);
    }
  }
  //! Random shifts; the same for the same seed.
  constexpr row_shifts(shift_scheme scheme, std::uint64_t seed) {
    if (scheme == shift_scheme::none) return;
    detail::split_mix numbers(seed);
    index amounts[W] = {};
    if (scheme == shift_scheme::rap) detail::shuffle(numbers, amounts, W);
    if (scheme == shift_scheme::ras)
      for (index& amount : amounts) amount = numbers.below(W);
    *this = row_shifts(amounts);
  }

  MMM_NO_SIDE_CHECK
  template <class Row>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row) const {
    auto const r = detail::coordinate(row) % W;
    if constexpr (expression<Row>)
      return among<0, W>(r);
    else
      return (word_of<0>(r) >> (r % in_word * bits)) & ((index{1} << bits) - 1);
  }
  friend constexpr bool operator==(row_shifts const&, row_shifts const&) = default;

 private:
  template <int K, class Row>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto word_of(Row const& row) const {
    if constexpr (K == words - 1)
      return word[K];
    else
      return select(row < (K + 1) * in_word, index{word[K]}, word_of<K + 1>(row));
  }
  //! A tree of choices among the Count rows from First on: expressions shift by constants only.
  template <index First, index Count, class Row>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto among(Row const& row) const {
    if constexpr (Count == 1)
      return (*this)(First);
    else
      return select(row < First + Count / 2, among<First, Count / 2>(row),
                    among<First + Count / 2, Count - Count / 2>(row));
  }
};

//! Row by row, each row rotated by its amount: (row, column) is word `row * W + (column +
//! shifts(row)) % W`. \param rows number of rows; there are W columns.
//! A kernel gets it as an argument; it is constructed on the host.
//! Stages on a DMM of width W: one for a row; for a column, 1 with a permutation of 0 … W - 1,
//! otherwise as the amounts have it: see mmm::expected_congestion.
template <index W>
struct shifted_rows : layout_shape {
  row_shifts<W> shifts;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr shifted_rows(index rows, row_shifts<W> const& amounts)
      : layout_shape(rows, W), shifts(amounts) {}

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const r = detail::coordinate(row);
    return detail::element(*this, row, column,
                           r * W + (detail::coordinate(column) + shifts(row)) % W);
  }
  friend constexpr bool operator==(shifted_rows const&, shifted_rows const&) = default;
};

}  // namespace mmm
