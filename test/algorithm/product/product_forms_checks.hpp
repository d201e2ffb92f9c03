// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"

#include <cstddef>
#include <vector>

//! Products of matrices in any place: c = alpha a b + beta c for a batch of transposed and pitched
//! matrices, compared with plain loops; what lies between the rows of c stays.
namespace checks::placed_products {

using word_index = mmm::index;

inline std::vector<int> numbers(word_index n, word_index seed) {
  std::vector<int> a(static_cast<std::size_t>(n));
  for (word_index i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<int>((i * 37 + seed * 11) % 19 - 7);
  return a;
}

//! A batch of products with rows further apart than they are long.
template <bool LeftTransposed, bool RightTransposed>
struct example {
  mmm::product_shape shape;
  word_index gap;
  word_index count = 2;
  word_index left = (LeftTransposed ? shape.rows : shape.inner) + gap;
  word_index right = (RightTransposed ? shape.inner : shape.columns) + gap;
  word_index result = shape.columns + gap;
  word_index left_apart = (LeftTransposed ? shape.inner : shape.rows) * left;
  word_index right_apart = (RightTransposed ? shape.columns : shape.inner) * right + 4;
  word_index result_apart = shape.rows * result;
  std::vector<int> a = numbers(count * left_apart, 1);
  std::vector<int> b = numbers(count * right_apart, 2);
  std::vector<int> c = numbers(count * result_apart, 3);

  [[nodiscard]] std::vector<int> expected(int alpha, int beta) const {
    std::vector<int> all = c;
    for (word_index k = 0; k < count; ++k)
      for (word_index i = 0; i < shape.rows; ++i)
        for (word_index j = 0; j < shape.columns; ++j) {
          int sum = 0;
          for (word_index m = 0; m < shape.inner; ++m)
            sum += at(a, k * left_apart, LeftTransposed ? m : i, left, LeftTransposed ? i : m) *
                   at(b, k * right_apart, RightTransposed ? j : m, right, RightTransposed ? m : j);
          auto const place = static_cast<std::size_t>(k * result_apart + i * result + j);
          all[place] = alpha * sum + beta * c[place];
        }
    return all;
  }
  static int at(std::vector<int> const& x, word_index first, word_index row, word_index pitch,
                word_index column) {
    return x[static_cast<std::size_t>(first + row * pitch + column)];
  }

  //! `multiply(on, …)` of these matrices to `out`.
  template <class Multiply, class On, class... Form>
  void run(Multiply const& multiply, On const& on, std::vector<int>& out,
           Form const&... form) const {
    mmm::batches const all(count, left_apart, right_apart, result_apart);
    auto const to = mmm::matrix(out.begin(), result);
    if constexpr (LeftTransposed && RightTransposed)
      multiply(on, mmm::transposed(a.begin(), left), mmm::transposed(b.begin(), right), shape, to,
               all, form...);
    else if constexpr (LeftTransposed)
      multiply(on, mmm::transposed(a.begin(), left), mmm::matrix(b.begin(), right), shape, to, all,
               form...);
    else if constexpr (RightTransposed)
      multiply(on, mmm::matrix(a.begin(), left), mmm::transposed(b.begin(), right), shape, to, all,
               form...);
    else
      multiply(on, mmm::matrix(a.begin(), left), mmm::matrix(b.begin(), right), shape, to, all,
               form...);
  }
};

using small_tiles = mmm::detail::register_product_algorithm<mmm::product_tiles<8, 8, 4, 4, 4>>;
using machine = mmm::hmm<3, 4, 2, 7>;

template <bool LeftTransposed, bool RightTransposed>
void by_register_tiles() {
  auto const p = mmm::threads(12);
  for (auto const& shape : {mmm::product_shape(8, 8, 8), mmm::product_shape(20, 12, 16),
                            mmm::product_shape(9, 5, 11), mmm::product_shape(3, 0, 4)})
    for (word_index const gap : {0, 1, 4}) {
      CAPTURE(LeftTransposed, RightTransposed, shape.rows, shape.inner, gap);
      example<LeftTransposed, RightTransposed> const x{shape, gap};
      auto out = x.c;
      auto const call = [&](auto on) {
        x.run(small_tiles{}, on, out, mmm::alpha(3), mmm::beta(-2));
      };
      auto const run = mmm::simulate<machine>(p, call);
      CHECK(out == x.expected(3, -2));
      CHECK(run.races.empty());
      auto const cost = mmm::estimate<machine>(p, call);
      CHECK(cost.time == run.cost.time);
      CHECK(cost.stages == run.cost.stages);
      out = x.c;
      x.run(small_tiles{}, mmm::host_threads<machine>(p), out);
      CHECK(out == x.expected(1, 0));
    }
}

template <bool LeftTransposed, bool RightTransposed, class On>
void one_by_one(On const& on) {
  example<LeftTransposed, RightTransposed> const x{mmm::product_shape(5, 7, 6), 3};
  auto out = x.c;
  x.run(mmm::fastest::matrix_multiply, on, out, mmm::beta(2), mmm::alpha(3));
  CHECK(out == x.expected(3, 2));
}

}  // namespace checks::placed_products
