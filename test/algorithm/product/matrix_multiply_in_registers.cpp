// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix_multiply_in_registers_checks.hpp"

#include <stdexcept>

namespace {

using checks::products;
using mmm::index;
using small_tiles = mmm::product_tiles<8, 8, 4, 4, 4, 4>;

}  // namespace

TEST_CASE("products by register tiles") {
  using checks::small;
  products<small_tiles>(small(3, 2, 7), 4);
  products<small_tiles>(small(2, 3, 20, 2), 11);
  products<mmm::product_tiles<16, 8, 8, 4, 2, 2>>(small(2, 1, 5), 16);
  products<mmm::product_tiles<8, 8, 4, 2, 2, 1>>(small(1, 2, 7), 16);
  products<mmm::product_tiles<16, 8, 4, 8, 4, 4, 4>>(small(2, 1, 5), 4);
}

TEST_CASE("products whose last steps are fewer than the stages") {
  using checks::small;
  using tiles = mmm::product_tiles<8, 8, 4, 4, 4, 4, 4>;
  for (index const inner : {1, 4, 7, 8, 9, 12, 13, 16, 17, 20, 24})
    checks::products_of<tiles>(small(2, 1, 5), 4, {{8, inner, 16}, {9, inner, 5}});
}

TEST_CASE("the time of products by register tiles on a GPU's machine") {
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  gpu const m;
  auto const shared = [](index stages) { return stages + 30 - 1; };
  auto const global = [](index stages) { return (stages * 132 + 18) / 19 + 600 - 1; };
  for (auto const& shape :
       {mmm::product_shape(128 * 132, 64, 128), mmm::product_shape(128 * 12, 4096, 128 * 11),
        mmm::product_shape(128 * 66, 8192, 128 * 64)}) {
    auto const takes = [&](auto const& algorithm, index threads_of_dmm, index step, index results,
                           index side = 128) {
      auto const c = mmm::cost_of(m, algorithm, shape, mmm::threads(132 * threads_of_dmm));
      CHECK(c.closed_form);
      CHECK(c.time ==
            shape.rows / side * (shape.columns / side) / 132 * (shape.inner / 16 * step + results));
    };
    takes(mmm::matrix_multiply_in_registers, 256,
          8 * global(16) + 2 * global(32) + 8 * shared(16) + 66 * shared(32), 16 * global(64));
    takes(mmm::matrix_multiply_in_more_registers, 128,
          16 * global(8) + 4 * global(16) + 16 * shared(8) + 100 * shared(16), 32 * global(32));
    takes(mmm::matrix_multiply_in_smaller_tiles, 128,
          8 * global(8) + 2 * global(16) + 8 * shared(8) + 50 * shared(16), 8 * global(32), 64);
  }
  mmm::size const n(8192);
  CHECK(mmm::cost_of(m, mmm::matrix_multiply_in_registers, n, mmm::threads(132 * 256)).time * 3 <
        mmm::cost_of(m, mmm::matrix_multiply, n, mmm::threads(132 * 1024), mmm::tile(32)).time);
}

TEST_CASE("tiles at the borders of a product are assigned with the others") {
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  gpu const m;
  auto const time = [&](index rows, index inner, index columns) {
    auto const c = mmm::cost_of(m, mmm::matrix_multiply_in_registers,
                                mmm::product_shape(rows, inner, columns), mmm::threads(132 * 256));
    CHECK(c.closed_form);
    return c.time;
  };
  // 16 tiles, of which 7 are at a border: one for a DMM, as where all are whole
  CHECK(time(500, 512, 500) * 10 < time(512, 512, 512) * 11);
  // 11 x 12 and 22 x 12 tiles, one and two for each DMM; rows begin anywhere in an address group
  CHECK(time(1400, 512, 1500) * 10 < time(1408, 512, 1536) * 11);
  CHECK(time(2800, 512, 1500) * 10 < time(2816, 512, 1536) * 11);
  CHECK(time(2800, 500, 1500) * 10 < time(2816, 512, 1536) * 11);
}

TEST_CASE("what products by register tiles reject") {
  constexpr mmm::detail::register_product_algorithm<small_tiles> algorithm{};
  std::vector<int> a(64), b(64), c(64);
  auto const run = [&](index capacity, index p, auto out) {
    checks::small_machine const m(2, 1, 5, capacity, 1);
    static_cast<void>(mmm::simulate(m, mmm::threads(p), [&](auto on) {
      algorithm(on, a.cbegin(), b.cbegin(), mmm::product_shape(8, 8, 8), out);
    }));
  };
  CHECK_NOTHROW(run(192, 8, c.begin()));
  CHECK_THROWS_AS(run(191, 8, c.begin()), std::length_error);
  CHECK_THROWS_AS(run(192, 6, c.begin()), std::invalid_argument);
  CHECK_THROWS_AS(run(192, 8, b.begin()), std::invalid_argument);
}
