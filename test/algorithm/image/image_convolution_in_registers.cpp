// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_convolution_in_registers_checks.hpp"

#include <stdexcept>
#include <vector>

namespace {

using checks::convolves_images;
using mmm::index;

}  // namespace

TEST_CASE("image convolutions with a block of pixels to a thread") {
  using checks::small;
  convolves_images<0, mmm::image_tiles<4, 4, 1, 1>>(small(2, 1, 3), 16);
  convolves_images<1, mmm::image_tiles<2, 2, 2, 4>>(small(1, 1, 5), 4);
  convolves_images<1, mmm::image_tiles<2, 2, 2, 4>>(small(3, 2, 7), 5);
  convolves_images<3, mmm::image_tiles<1, 4, 4, 4>>(small(2, 3, 20, 2), 8);
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
