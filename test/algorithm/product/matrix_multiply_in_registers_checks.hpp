// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <vector>

namespace checks {

template <class Tiles, class M>
void products(M const& m, index threads_per_dmm) {
  constexpr mmm::detail::register_product_algorithm<Tiles> algorithm{};
  index const p = threads_per_dmm * m.dmms();
  for (auto const& shape :
       {mmm::product_shape(0, 3, 4), mmm::product_shape(3, 0, 4), mmm::product_shape(1, 1, 1),
        mmm::product_shape(8, 8, 8), mmm::product_shape(16, 12, 24), mmm::product_shape(20, 4, 12),
        mmm::product_shape(9, 10, 11), mmm::product_shape(33, 16, 20),
        mmm::product_shape(16, 21, 16), mmm::product_shape(20, 8, 32),
        mmm::product_shape(32, 8, 20)}) {
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

}  // namespace checks
