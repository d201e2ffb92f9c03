// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/product/matrix_multiply.hpp>

#include "support/long_tests.hpp"
#include "support/problem_checks.hpp"

#include <stdexcept>
#include <string>

namespace {

using checks::word;
using mmm::index;
using mmm::product_shape;

std::vector<word> plain_product(std::vector<word> const& a, std::vector<word> const& b,
                                product_shape s) {
  std::vector<word> c;
  for (index row = 0; row < s.rows; ++row) {
    for (index column = 0; column < s.columns; ++column) {
      word sum = 0;
      for (index k = 0; k < s.inner; ++k)
        sum += a[static_cast<std::size_t>(row * s.inner + k)] *
               b[static_cast<std::size_t>(k * s.columns + column)];
      c.push_back(sum);
    }
  }
  return c;
}

bool divisible(index n, index by) { return n > 0 && n % by == 0; }

//! Checks time <= C * upper bound where sizes divide, and twice that elsewhere.
template <class M>
index allowed(M const& m, index constant, product_shape s, index p, mmm::tile t) {
  index const w = M::width();
  if constexpr (mmm::hierarchical_machine<M>) {
    index const own = p / m.dmms();
    if (own < w) return 0;  // the papers' bounds need at least one warp per DMM
    index const tiles = s.rows / t.side * (s.columns / t.side);
    bool const divides = divisible(s.rows, t.side) && divisible(s.inner, t.side) &&
                         divisible(s.columns, t.side) && tiles % m.dmms() == 0 && t.side % w == 0 &&
                         own % w == 0 && t.side * t.side % own == 0;
    return (divides ? 1 : 2) * constant;
  } else {
    bool const divides = divisible(s.columns, w) && divisible(p, w) &&
                         divisible(s.rows * s.columns, p) && s.inner > 0;
    return (divides ? 1 : 2) * constant;
  }
}

template <class M, class Algorithm>
void product(M const& m, Algorithm const& algorithm, product_shape s, index p, mmm::tile t) {
  CAPTURE(algorithm.name, M::width(), s.rows, s.inner, s.columns, p, t.side);
  auto const a = checks::numbers(s.rows * s.inner);
  auto const b = checks::numbers(s.inner * s.columns);
  std::vector<word> c(static_cast<std::size_t>(s.rows * s.columns), -1);
  auto const run = mmm::simulate(
      m, mmm::threads(p), [&](auto on) { algorithm(on, a.begin(), b.begin(), s, c.begin(), t); });
  CHECK(c == plain_product(a, b, s));
  checks::problem_figures(m, algorithm, s, p, run,
                          allowed(m, mmm::constant_of(m, algorithm), s, p, t), t);
}

product_shape const shapes[] = {{0, 0, 0}, {0, 3, 4}, {3, 0, 4},  {3, 4, 0},
                                {1, 1, 1}, {1, 6, 1}, {5, 1, 7},  {4, 4, 4},
                                {8, 8, 8}, {7, 9, 5}, {5, 12, 3}, {16, 8, 12}};

template <index W>
void on_dmm() {
  mmm::dmm<W, mmm::dynamic> const m(GENERATE(1, 5));
  for (product_shape const s : shapes) {
    for (index const p : {1, 4, 5, 16, 100}) {
      product(m, mmm::matrix_multiply, s, p, mmm::tile(1));
      product(m, mmm::matrix_multiply_in_memory, s, p, mmm::tile(1));
    }
  }
}

template <index W>
void on_hmm() {
  checks::every_nth taken(5);
  for (auto const& [d, l, global] : checks::combinations({1, 3, 4}, {1, 5}, {1, 7})) {
    mmm::hmm<mmm::dynamic, W, mmm::dynamic, mmm::dynamic> const m(d, l, global);
    for (product_shape const s : shapes) {
      for (index const t : {1, 2, 4, 5}) {
        if (t > std::max({s.rows, s.inner, s.columns, index{1}})) continue;
        for (index const p : {4, 5, 16}) {
          if (!taken()) continue;
          product(m, mmm::matrix_multiply, s, m.dmms() * p, mmm::tile(t));
          product(m, mmm::matrix_multiply_in_memory, s, m.dmms() * p, mmm::tile(t));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("matrix products on a dmm of 4 banks") { on_dmm<4>(); }
TEST_CASE("matrix products on a hmm of width 4") { on_hmm<4>(); }

TEST_CASE("a matrix product of doubles and without a tile where there is one memory") {
  std::vector<double> const a = {1, 2, 3, 4, 5, 6};
  std::vector<double> const b = {0.5, -1, 2};
  std::vector<double> c(2);
  auto const run = mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(3), [&](auto on) {
    mmm::matrix_multiply(on, a.begin(), a.end(), b.begin(), b.end(), product_shape(2, 3, 1),
                         c.begin());
  });
  CHECK(c == std::vector<double>{4.5, 9});
  CHECK(run.cost.time ==
        mmm::cost_of<mmm::dmm<4, 5>>(mmm::matrix_multiply, product_shape(2, 3, 1), mmm::threads(3))
            .time);
  CHECK(
      mmm::cost_of<mmm::dmm<4, 5>>(mmm::matrix_multiply, mmm::size(8), mmm::threads(3)) ==
      mmm::cost_of<mmm::dmm<4, 5>>(mmm::matrix_multiply, product_shape(8, 8, 8), mmm::threads(3)));
}

TEST_CASE("what a matrix product does not accept") {
  using machine = mmm::hmm<2, 4, 1, 7, 40>;
  std::vector<double> a(16, 1), b(16, 1), c(16, -1);
  auto const multiply = [&](auto const& algorithm, auto first, index m) {
    return [&, first, m](auto on) {
      algorithm(on, a.begin(), b.begin(), product_shape(4, 4, 4), first, mmm::tile(m));
    };
  };
  mmm::threads const p(8);
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::simulate<machine>(p, multiply(mmm::matrix_multiply, c.begin(), 5)),
                    Contains("side of a tile is 5"));
  CHECK_THROWS_AS(mmm::simulate<machine>(p, multiply(mmm::matrix_multiply, c.begin(), 5)),
                  std::invalid_argument);
  CHECK_THROWS_WITH(
      mmm::simulate<machine>(p, multiply(mmm::matrix_multiply_in_memory, c.begin(), 4)),
      Contains("48 needed, 40 available"));
  CHECK_THROWS_WITH(
      mmm::cost_of<machine>(mmm::matrix_multiply, mmm::size(4), p),
      Contains(
          "by tiles, and none is given: write mmm::tile(m) as the last argument, 1 <= m <= 4"));
  CHECK_THROWS_WITH(mmm::simulate<machine>(p,
                                           [&](auto on) {
                                             mmm::matrix_multiply(on, a.begin(), b.begin(),
                                                                  product_shape(4, 4, 4),
                                                                  c.begin());
                                           }),
                    Contains("by tiles, and none is given"));
  CHECK_THROWS_AS(
      mmm::cost_of<machine>(mmm::matrix_multiply_in_memory, mmm::size(4), p, mmm::tile(4)),
      std::length_error);
  CHECK_NOTHROW(mmm::cost_of<machine>(mmm::matrix_multiply, mmm::size(4), p, mmm::tile(4)));
  CHECK_THROWS_AS(mmm::simulate<machine>(p, multiply(mmm::matrix_multiply, a.begin(), 2)),
                  std::invalid_argument);
  CHECK_THROWS_AS(mmm::simulate<machine>(p, multiply(mmm::matrix_multiply, b.begin() + 15, 2)),
                  std::invalid_argument);
  CHECK_THROWS_AS(mmm::simulate<machine>(p,
                                         [&](auto on) {
                                           mmm::matrix_multiply(
                                               on, a.begin(), a.end() - 1, b.begin(), b.end(),
                                               product_shape(4, 4, 4), c.begin(), mmm::tile(2));
                                         }),
                  std::length_error);
  CHECK(c == std::vector<double>(16, -1));
  CHECK(a == std::vector<double>(16, 1));
  CHECK_THROWS_AS(product_shape(-1, 2, 2), std::invalid_argument);
  CHECK_THROWS_AS(mmm::tile(0), std::invalid_argument);
}
