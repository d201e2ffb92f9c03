// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/report/regime_text.hpp>

#include "support/long_tests.hpp"
#include "support/problem_checks.hpp"

#include <stdexcept>

namespace {

using checks::word;
using mmm::index;
using mmm::radius;
using mmm::shape;

std::vector<word> plain_convolution(std::vector<word> const& a, shape image,
                                    std::vector<word> const& b, radius kernel) {
  index const v = kernel.v;
  std::vector<word> c;
  for (index i = 0; i < image.rows; ++i) {
    for (index j = 0; j < image.columns; ++j) {
      word sum = 0;
      for (index s = -v; s <= v; ++s)
        for (index t = -v; t <= v; ++t)
          if (i + s >= 0 && i + s < image.rows && j + t >= 0 && j + t < image.columns)
            sum += a[static_cast<std::size_t>((i + s) * image.columns + j + t)] *
                   b[static_cast<std::size_t>((v + s) * kernel.width() + v + t)];
      c.push_back(sum);
    }
  }
  return c;
}

//! Checks time <= C * upper bound where sizes divide, and twice that elsewhere.
template <class M>
index allowed(M const& m, index constant, shape image, index p, radius kernel) {
  index const w = M::width();
  bool divides = image.columns % w == 0 && image.area() > 0;
  if constexpr (mmm::hierarchical_machine<M>) {
    index const own = p / m.dmms();
    if (own < w || kernel.v > w) return 0;  // the papers' bounds need one warp per DMM, and v <= w
    divides = divides && image.rows % w == 0 && image.area() / (w * w) % m.dmms() == 0 &&
              own % w == 0 && w * w % own == 0;
  } else {
    divides = divides && p % w == 0 && image.area() % p == 0;
  }
  return (divides ? 1 : 2) * constant;
}

template <class M, class Algorithm>
void convolve(M const& m, Algorithm const& algorithm, shape image, index p, radius kernel) {
  CAPTURE(algorithm.name, M::width(), image.rows, image.columns, p, kernel.v);
  auto const a = checks::numbers(image.area());
  auto const b = checks::numbers(kernel.area());
  std::vector<word> c(a.size(), -1);
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    algorithm(on, a.begin(), image, b.begin(), kernel, c.begin());
  });
  CHECK(c == plain_convolution(a, image, b, kernel));
  checks::problem_figures(m, algorithm, image, p, run,
                          allowed(m, mmm::constant_of(m, algorithm), image, p, kernel), kernel);
}

shape const images[] = {{0, 0}, {0, 5}, {1, 1}, {1, 7}, {7, 1}, {8, 8}, {9, 13}};

template <index W>
void on_dmm() {
  mmm::dmm<W, mmm::dynamic> const m(GENERATE(1, 5));
  for (shape const image : images) {
    for (index const v : {0, 1, 2, 3}) {
      for (index const p : {1, 4, 5, 16, 100}) {
        convolve(m, mmm::image_convolution, image, p, radius(v));
        convolve(m, mmm::image_convolution_in_memory, image, p, radius(v));
      }
    }
  }
}

template <index W>
void on_hmm() {
  checks::every_nth taken(5);
  for (auto const& [d, l, global] : checks::combinations({1, 3, 4}, {1, 5}, {1, 7})) {
    mmm::hmm<mmm::dynamic, W, mmm::dynamic, mmm::dynamic> const m(d, l, global);
    for (shape const image : images) {
      for (index const v : {0, 1, 2, 3}) {
        for (index const p : {4, 5, 16}) {
          if (!taken()) continue;
          convolve(m, mmm::image_convolution, image, m.dmms() * p, radius(v));
          convolve(m, mmm::image_convolution_in_memory, image, m.dmms() * p, radius(v));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("image convolutions on a dmm of 4 banks") { on_dmm<4>(); }
TEST_CASE("image convolutions on a hmm of width 4") { on_hmm<4>(); }

TEST_CASE("what an image convolution does not accept") {
  using machine = mmm::hmm<2, 4, 1, 7, 44>;
  std::vector<float> a(16, 1), b(9, 1), c(16, -1);
  auto const convolution = [&](auto first, index v) {
    return [&, first, v](auto on) {
      mmm::image_convolution(on, a.begin(), shape(4, 4), b.begin(), radius(v), first);
    };
  };
  mmm::threads const p(8);
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::simulate<machine>(p, convolution(c.begin(), 1)),
                    Contains("45 needed, 44 available"));
  CHECK_THROWS_AS(mmm::simulate<machine>(p, convolution(a.begin() + 15, 0)), std::invalid_argument);
  CHECK_THROWS_AS(mmm::simulate<machine>(p, convolution(b.begin() + 8, 1)), std::invalid_argument);
  CHECK(c == std::vector<float>(16, -1));
  CHECK_NOTHROW(mmm::simulate<machine>(p, convolution(c.begin(), 0)));
  CHECK(c == std::vector<float>(16, 1));
  CHECK(mmm::image_convolution.shared_words(radius(1), 4) == 45);
  CHECK(mmm::image_convolution_in_memory.shared_words(radius(1), 4) == 64);
}

TEST_CASE("the conditions of Nakano and Ito 2014 in words") {
  using machine = mmm::hmm<16, 32, 16, 400>;
  CHECK(mmm::report::text(mmm::regime_of<machine>(mmm::threads(16384), radius(1))) ==
        "global latency hidden: w L = 12800 <= d p = 16384\n"
        "shared latency hidden: w l = 512 <= p = 1024\n"
        "limited by bandwidth: (2v + 1)^2 = 9 <= d = 16\n");
  CHECK(mmm::report::text(mmm::regime_of<machine>(mmm::threads(4096), mmm::tile(32))) ==
        "global latency not hidden: w L = 12800 > d p = 4096\n"
        "shared latency not hidden: w l = 512 > p = 256\n"
        "limited by parallelism: m = 32 > d = 16\n");
  CHECK_THROWS_AS(mmm::regime_of<machine>(mmm::threads(17), radius(1)), std::invalid_argument);
}
