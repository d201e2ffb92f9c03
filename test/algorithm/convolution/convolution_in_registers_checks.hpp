// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <vector>

namespace checks {

template <index Outputs, index V, class M>
void convolves(M const& machine, index threads_per_dmm) {
  constexpr mmm::detail::register_convolution_algorithm<Outputs, V> algorithm{};
  index const p = threads_per_dmm * machine.dmms();
  index const tile = threads_per_dmm * Outputs;
  for (index const m : {1, 3, 8, 17})
    for (index const n : {index{0}, index{1}, index{5}, tile, tile + 20, 3 * tile + 7, 5 * tile}) {
      CAPTURE(Outputs, V, M::width(), threads_per_dmm, m, n);
      auto const x = checks::small_numbers(m, 1);
      auto const y = checks::small_numbers(n + m - 1, 2);
      std::vector<int> z(static_cast<std::size_t>(n), -1);
      auto const run = mmm::simulate(machine, mmm::threads(p), [&](auto on) {
        algorithm(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
      });
      bool right = true;
      for (index i = 0; i < n; ++i) {
        int sum = 0;
        for (index k = 0; k < m; ++k)
          sum += x[static_cast<std::size_t>(k)] * y[static_cast<std::size_t>(i + k)];
        right = right && z[static_cast<std::size_t>(i)] == sum;
      }
      CHECK(right);
      checks::problem_figures(machine, algorithm, mmm::size(n), p, run,
                              2 * mmm::constant_of(machine, algorithm), mmm::taps(m));
    }
}

}  // namespace checks
