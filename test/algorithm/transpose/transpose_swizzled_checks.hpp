// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <utility>
#include <vector>

namespace checks {

template <index Side, index V, bool Wide = true,
          template <index, index> class Places = mmm::vec_swizzle, class M>
void transposes(M const& m, index p) {
  constexpr mmm::detail::swizzled_transpose_algorithm<Side, V, Wide, Places> algorithm{};
  for (auto const& [rows, columns] : {std::pair<index, index>{0, 5},
                                      {1, 1},
                                      {8, 8},
                                      {16, 16},
                                      {24, 40},
                                      {16, 20},
                                      {12, 28},
                                      {7, 9},
                                      {33, 18},
                                      {4, 48},
                                      {40, 1},
                                      {9, 32}}) {
    mmm::shape const matrix(rows, columns);
    auto const a = checks::small_numbers(matrix.area());
    std::vector<int> b(a.size(), -100);
    auto const run = mmm::simulate(m, mmm::threads(p),
                                   [&](auto on) { algorithm(on, a.begin(), matrix, b.begin()); });
    bool right = true;
    for (index j = 0; j < rows; ++j)
      for (index k = 0; k < columns; ++k)
        right = right && b[static_cast<std::size_t>(k * rows + j)] ==
                             a[static_cast<std::size_t>(j * columns + k)];
    CAPTURE(Side, V, Wide, rows, columns, p, M::width());
    CHECK(right);
    checks::problem_figures(m, algorithm, matrix, p, run,
                            p / m.dmms() >= M::width() ? 2 * mmm::constant_of(m, algorithm) : 0);
  }
}

}  // namespace checks
