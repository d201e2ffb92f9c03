// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include "device_side.cuh"

#include <cstddef>
#include <vector>

//! Products as cuBLAS makes them, compared with plain loops.
namespace product_forms {

using checks::device_words;
using mmm::index;
using machine = mmm::hmm<4, 32, 29, 700, 12288>;

inline std::vector<float> numbers(index n, index seed) {
  std::vector<float> a(static_cast<std::size_t>(n));
  for (index i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<float>((i * 37 + seed * 11) % 19 - 7);
  return a;
}

template <bool Transposed>
auto operand(float const* first, index pitch) {
  if constexpr (Transposed)
    return mmm::transposed(first, pitch);
  else
    return mmm::matrix(first, pitch);
}

//! Two products of matrices whose rows are `gap` words further apart than they are long.
template <bool LeftTransposed, bool RightTransposed, class Multiply>
void products(Multiply const& multiply, mmm::product_shape const& shape, index gap, index threads) {
  CAPTURE(LeftTransposed, RightTransposed, shape.rows, shape.inner, shape.columns, gap, threads);
  index const left = (LeftTransposed ? shape.rows : shape.inner) + gap;
  index const right = (RightTransposed ? shape.inner : shape.columns) + gap;
  index const result = shape.columns + gap;
  mmm::batches const all(2, (LeftTransposed ? shape.inner : shape.rows) * left,
                         (RightTransposed ? shape.columns : shape.inner) * right,
                         shape.rows * result);
  auto const a = numbers(2 * all.left, 1);
  auto const b = numbers(2 * all.right, 2);
  auto expected = numbers(2 * all.result, 3);
  device_words<float> const of_a(a.begin(), a.end());
  device_words<float> const of_b(b.begin(), b.end());
  device_words<float> of_c(expected.begin(), expected.end());
  for (index k = 0; k < 2; ++k)
    for (index i = 0; i < shape.rows; ++i)
      for (index j = 0; j < shape.columns; ++j) {
        float sum = 0;
        for (index m = 0; m < shape.inner; ++m)
          sum += a[static_cast<std::size_t>(k * all.left +
                                            (LeftTransposed ? m * left + i : i * left + m))] *
                 b[static_cast<std::size_t>(k * all.right +
                                            (RightTransposed ? j * right + m : m * right + j))];
        float& word = expected[static_cast<std::size_t>(k * all.result + i * result + j)];
        word = 3 * sum - 2 * word;
      }
  auto const on = mmm::cuda::on<machine>(mmm::threads(4 * threads));
  multiply(on, operand<LeftTransposed>(of_a.begin(), left),
           operand<RightTransposed>(of_b.begin(), right), shape, mmm::matrix(of_c.begin(), result),
           all, mmm::alpha(3.0F), mmm::beta(-2.0F));
  CHECK(of_c.on_host() == expected);
}

}  // namespace product_forms
