// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

//! The parameters of problems besides mmm::size and mmm::threads, each with a type of its own.
//! Errors: std::invalid_argument with the number for one that is not accepted.
namespace mmm {

//! The length of a one-dimensional convolution's kernel, 1 or more.
struct taps {
  index count;
  constexpr explicit taps(index n) : count(n) {
    if (n < 1) detail::reject("the number of taps", n, "1 or more");
  }
};

//! A (2v + 1) x (2v + 1) kernel of a two-dimensional convolution, v 0 or more.
struct radius {
  index v;
  constexpr explicit radius(index value) : v(value) {
    if (value < 0) detail::reject("the radius of a kernel", value, "0 or more");
  }
  //! Taps in a row, 2v + 1.
  [[nodiscard]] constexpr index width() const {
    return detail::checked_add(detail::checked_multiply(2, v), 1);
  }
  //! All taps, (2v + 1)^2.
  [[nodiscard]] constexpr index area() const { return detail::checked_multiply(width(), width()); }
};

//! The number of a histogram's bins, 0 or more.
struct bins {
  index count;
  constexpr explicit bins(index n) : count(n) {
    if (n < 0) detail::reject("the number of bins", n, "0 or more");
  }
};

//! The number of bits of a radix sort's keys: 8, 16, 32 or 64.
struct key_bits {
  index count;
  constexpr explicit key_bits(index n) : count(n) {
    if (n != 8 && n != 16 && n != 32 && n != 64)
      detail::reject("the number of bits of a key", n, "8, 16, 32 or 64");
  }
};

//! The number of inputs of a bulk execution, 0 or more.
struct inputs {
  index count;
  constexpr explicit inputs(index k) : count(k) {
    if (k < 0) detail::reject("the number of inputs", k, "0 or more");
  }
};

//! The side of the square blocks that a matrix is divided into, 1 or more.
struct tile {
  index side;
  constexpr explicit tile(index m) : side(m) {
    if (m < 1) detail::reject("the side of a tile", m, "1 or more");
  }
};

//! The rows and columns of an image or a matrix, 0 or more each.
struct shape {
  index rows;
  index columns;
  constexpr shape(index number_of_rows, index number_of_columns)
      : rows(number_of_rows), columns(number_of_columns) {
    if (rows < 0) detail::reject("the number of rows", rows, "0 or more");
    if (columns < 0) detail::reject("the number of columns", columns, "0 or more");
  }
  [[nodiscard]] constexpr index area() const { return detail::checked_multiply(rows, columns); }
};

//! The shape of a matrix product, (rows x inner) * (inner x columns), 0 or more each.
struct product_shape {
  index rows;
  index inner;
  index columns;
  constexpr product_shape(index number_of_rows, index inner_size, index number_of_columns)
      : rows(number_of_rows), inner(inner_size), columns(number_of_columns) {
    if (rows < 0) detail::reject("the number of rows", rows, "0 or more");
    if (inner < 0) detail::reject("the number of columns of the left factor", inner, "0 or more");
    if (columns < 0) detail::reject("the number of columns", columns, "0 or more");
  }
};

}  // namespace mmm
