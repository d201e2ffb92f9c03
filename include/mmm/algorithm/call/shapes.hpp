// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/access.hpp>

//! Parameters that may be given as a size or as a shape.
namespace mmm::detail {

//! The sides of an image or a matrix: a size gives a square, a shape any rectangle.
struct sides {
  shape extents;
  constexpr sides(size n) : extents(n.count, n.count) {}  // NOLINT: a size is a shape
  constexpr sides(shape const& rows_columns) : extents(rows_columns) {}  // NOLINT
};

//! The matrices of a product: a size gives squares, a product_shape any rectangles.
struct product_sizes {
  product_shape shape;
  constexpr product_sizes(index n) : shape(n, n, n) {}               // NOLINT: a size is a shape
  constexpr product_sizes(size n) : product_sizes(n.count) {}        // NOLINT
  constexpr product_sizes(product_shape const& all) : shape(all) {}  // NOLINT

  [[nodiscard]] constexpr natural left() const { return natural(shape.rows) * shape.inner; }
  [[nodiscard]] constexpr natural right() const { return natural(shape.inner) * shape.columns; }
  [[nodiscard]] constexpr natural result() const { return natural(shape.rows) * shape.columns; }
  //! Number of multiplications, n^3 for square matrices.
  [[nodiscard]] constexpr natural work() const { return result() * shape.inner; }
  [[nodiscard]] constexpr natural longest() const {
    return larger(larger(natural(shape.rows), shape.inner), shape.columns);
  }
};

//! The row-major matrices of a product c = a b, as a program has them.
template <class Left, class Right, class Result>
struct product_matrices {
  Left a;
  Right b;
  Result c;
  product_shape shape;
};
//! Matrices whose places in memory `Layout` gives.
template <class Left, class Right, class Result, class Layout>
struct placed_matrices : product_matrices<Left, Right, Result> {
  Layout layout;
};

}  // namespace mmm::detail
