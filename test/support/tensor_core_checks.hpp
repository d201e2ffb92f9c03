// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

//! Products by tensor cores beside plain loops, on the host and as kernels.
namespace checks::tensor_cores {

using word_index = mmm::index;

//! A product of small integers, whose sums floats hold exactly: c = 3 a b - 2 c for two matrices of
//! a batch, whose rows are `gap` elements further apart than they are long; c = a b of packed
//! matrices if `Packed`.
template <class Number, bool LeftTransposed, bool RightTransposed, bool Packed = false>
struct example {
  using sum = std::conditional_t<std::is_integral_v<Number>, std::int32_t, float>;

  mmm::product_shape shape;
  word_index gap;
  word_index count = Packed ? 1 : 2;
  word_index left = (LeftTransposed ? shape.rows : shape.inner) + gap;
  word_index right = (RightTransposed ? shape.inner : shape.columns) + gap;
  word_index result = shape.columns + gap;
  word_index left_apart = (LeftTransposed ? shape.inner : shape.rows) * left;
  word_index right_apart = (RightTransposed ? shape.columns : shape.inner) * right;
  word_index result_apart = shape.rows * result;
  std::vector<Number> a = numbers<Number>(count * left_apart, 1);
  std::vector<Number> b = numbers<Number>(count * right_apart, 2);
  std::vector<sum> c = numbers<sum>(count * result_apart, 3);

  template <class T>
  static std::vector<T> numbers(word_index n, word_index seed) {
    std::vector<T> x(static_cast<std::size_t>(n));
    for (word_index i = 0; i < n; ++i) {
      word_index const number = (i * 37 + seed * 11) % 15 - (seed == 3 ? 7 : 5);
      if constexpr (std::is_integral_v<T>)  // below 0, unsigned ones have their highest bit
        x[static_cast<std::size_t>(i)] = static_cast<T>(number);
      else
        x[static_cast<std::size_t>(i)] = static_cast<T>(static_cast<float>(number));
    }
    return x;
  }
  [[nodiscard]] std::vector<sum> expected() const {
    std::vector<sum> all = c;
    auto const at = [](auto const& x, word_index first, bool turned, word_index row,
                       word_index column, word_index pitch) {
      return static_cast<sum>(static_cast<float>(x[static_cast<std::size_t>(
          first + (turned ? column * pitch + row : row * pitch + column))]));
    };
    for (word_index k = 0; k < count; ++k)
      for (word_index i = 0; i < shape.rows; ++i)
        for (word_index j = 0; j < shape.columns; ++j) {
          sum product{};
          for (word_index m = 0; m < shape.inner; ++m)
            product += at(a, k * left_apart, LeftTransposed, i, m, left) *
                       at(b, k * right_apart, RightTransposed, m, j, right);
          sum& word = all[static_cast<std::size_t>(k * result_apart + i * result + j)];
          word = Packed ? product : 3 * product - 2 * word;
        }
    return all;
  }
  //! `multiply(on, …)` of these matrices at the three places.
  template <class Multiply, class On, class Factor, class Result, class... Form>
  void run(Multiply const& multiply, On const& on, Factor of_a, Factor of_b, Result of_c,
           Form const&... form) const {
    auto const operand = [](auto turned, Factor first, word_index pitch) {
      if constexpr (decltype(turned)::value)
        return mmm::transposed(first, pitch);
      else
        return mmm::matrix(first, pitch);
    };
    if constexpr (Packed)
      multiply(on, of_a, of_b, shape, of_c, form...);
    else
      multiply(on, operand(std::bool_constant<LeftTransposed>{}, of_a, left),
               operand(std::bool_constant<RightTransposed>{}, of_b, right), shape,
               mmm::matrix(of_c, result),
               mmm::batches(count, left_apart, right_apart, result_apart), mmm::alpha(sum(3)),
               mmm::beta(sum(-2)), form...);
  }
};

}  // namespace checks::tensor_cores
