// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <initializer_list>
#include <vector>

namespace checks {

//! Holds products of these shapes against plain loops, the estimate, the bounds and the trace.
template <class Tiles, bool InParts = false, class M>
void products_of(M const& m, index threads_per_dmm,
                 std::initializer_list<mmm::product_shape> shapes) {
  constexpr mmm::detail::register_product_algorithm<Tiles, InParts> algorithm{};
  index const p = threads_per_dmm * m.dmms();
  for (auto const& shape : shapes) {
    CAPTURE(M::width(), threads_per_dmm, shape.rows, shape.inner, shape.columns);
    auto const a = checks::small_numbers(shape.rows * shape.inner, 1);
    auto const b = checks::small_numbers(shape.inner * shape.columns, 2);
    std::vector<int> c(static_cast<std::size_t>(shape.rows * shape.columns), -1);
    auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
      algorithm(on, a.begin(), b.begin(), shape, c.begin());
    });
    bool right = true;
    for (index row = 0; row < shape.rows; ++row)
      for (index column = 0; column < shape.columns; ++column) {
        int sum = 0;
        for (index k = 0; k < shape.inner; ++k)
          sum += a[static_cast<std::size_t>(row * shape.inner + k)] *
                 b[static_cast<std::size_t>(k * shape.columns + column)];
        right = right && c[static_cast<std::size_t>(row * shape.columns + column)] == sum;
      }
    CHECK(right);
    checks::problem_figures(m, algorithm, shape, p, run, 2 * mmm::constant_of(m, algorithm));
  }
}

template <class Tiles, class M>
void products(M const& m, index threads_per_dmm) {
  products_of<Tiles>(m, threads_per_dmm,
                     {{0, 3, 4},
                      {3, 0, 4},
                      {1, 1, 1},
                      {8, 8, 8},
                      {16, 12, 24},
                      {20, 4, 12},
                      {9, 10, 11},
                      {33, 16, 20},
                      {16, 21, 16},
                      {20, 8, 32},
                      {32, 8, 20}});
}

}  // namespace checks
