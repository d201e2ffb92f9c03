// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <vector>

namespace checks {

template <index Radius, class Tiles, class M>
void convolves_images(M const& m, index threads_per_dmm) {
  constexpr mmm::detail::register_image_algorithm<Radius, Tiles> algorithm{};
  constexpr index width = 2 * Radius + 1;
  index const p = threads_per_dmm * m.dmms();
  for (auto const& image : {mmm::shape(0, 3), mmm::shape(1, 1), mmm::shape(8, 8), mmm::shape(9, 12),
                            mmm::shape(17, 21), mmm::shape(32, 40), mmm::shape(3, 50)}) {
    CAPTURE(Radius, M::width(), threads_per_dmm, image.rows, image.columns);
    auto const a = checks::small_numbers(image.area(), 1);
    auto const b = checks::small_numbers(width * width, 2);
    std::vector<int> c(a.size(), -1);
    auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
      algorithm(on, a.begin(), image, b.begin(), c.begin());
    });
    bool right = true;
    for (index i = 0; i < image.rows; ++i)
      for (index j = 0; j < image.columns; ++j) {
        int sum = 0;
        for (index s = -Radius; s <= Radius; ++s)
          for (index t = -Radius; t <= Radius; ++t)
            if (i + s >= 0 && i + s < image.rows && j + t >= 0 && j + t < image.columns)
              sum += a[static_cast<std::size_t>((i + s) * image.columns + j + t)] *
                     b[static_cast<std::size_t>((Radius + s) * width + Radius + t)];
        right = right && c[static_cast<std::size_t>(i * image.columns + j)] == sum;
      }
    CHECK(right);
    checks::problem_figures(m, algorithm, image, p, run, 2 * mmm::constant_of(m, algorithm));
  }
}

}  // namespace checks
