// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/fast_checks.hpp"

#include <stdexcept>

namespace {

using mmm::index;

template <index Radius, class Tiles, class M>
void convolves(M const& m, index threads_per_dmm) {
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

}  // namespace

TEST_CASE("image convolutions with a block of pixels to a thread") {
  using checks::small;
  convolves<0, mmm::image_tiles<4, 4, 1, 1>>(small(2, 1, 3), 16);
  convolves<1, mmm::image_tiles<2, 2, 2, 4>>(small(1, 1, 5), 4);
  convolves<1, mmm::image_tiles<2, 2, 2, 4>>(small(3, 2, 7), 5);
  convolves<3, mmm::image_tiles<1, 4, 4, 4>>(small(2, 3, 20, 2), 8);
#ifdef MMM_ALL_TESTS
  convolves<0, mmm::image_tiles<2, 2, 2, 4>>(mmm::hmm<1, 4, 1, 5>(), 4);
  convolves<1, mmm::image_tiles<2, 4, 3, 2>>(mmm::hmm<3, 4, 2, 7>(), 9);
  convolves<3, mmm::image_tiles<1, 4, 4, 4>>(mmm::hmm<2, 8, 3, 20, mmm::unlimited, 2>(), 8);
  convolves<2, mmm::image_tiles<4, 4, 1, 1>>(mmm::hmm<2, 4, 1, 3>(), 16);
#endif
}

TEST_CASE("an image convolution with a block of pixels to a thread on a GPU's machine") {
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  auto const c = mmm::cost_of<gpu>(mmm::image_convolution_in_registers<3>, mmm::size(8192),
                                   mmm::threads(132 * 256));
  CHECK(c.closed_form);
  CHECK(c.time * 2 < mmm::cost_of<gpu>(mmm::image_convolution, mmm::size(8192),
                                       mmm::threads(132 * 1024), mmm::radius(3))
                         .time);
}

TEST_CASE("what image convolutions with a block of pixels to a thread reject") {
  constexpr mmm::detail::register_image_algorithm<1, mmm::image_tiles<2, 2, 2, 4>> algorithm{};
  std::vector<int> a(64), b(9), c(64);
  auto const run = [&](index capacity, index p, auto out) {
    checks::small_machine const m(2, 1, 5, capacity, 1);
    static_cast<void>(mmm::simulate(m, mmm::threads(p), [&](auto on) {
      algorithm(on, a.cbegin(), mmm::shape(8, 8), b.cbegin(), out);
    }));
  };
  CHECK_NOTHROW(run(108, 8, c.begin()));
  CHECK_THROWS_AS(run(107, 8, c.begin()), std::length_error);
  CHECK_THROWS_AS(run(108, 6, c.begin()), std::invalid_argument);
  CHECK_THROWS_AS(run(108, 8, a.begin()), std::invalid_argument);
}
