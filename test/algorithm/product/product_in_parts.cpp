// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>

#include "matrix_multiply_in_registers_checks.hpp"
#include "product_forms_checks.hpp"

namespace {

using word_index = mmm::index;
using mmm::detail::product_parts;
using tiles = mmm::product_tiles<8, 8, 4, 4, 4>;

}  // namespace

TEST_CASE("the parts of the inner side cover all steps, and none is empty") {
  for (word_index const dmms : {1, 2, 5, 16, 264})
    for (word_index const of_result : {0, 1, 2, 3, 16, 300})
      for (word_index steps = 0; steps < 70; ++steps) {
        CAPTURE(dmms, of_result, steps);
        product_parts const parts(dmms, of_result, steps);
        CHECK(parts.count >= 1);
        CHECK(parts.count <= 16);
        CHECK(parts.count * parts.steps >= steps);
        CHECK((parts.count - 1) * parts.steps <= steps - (parts.count > 1 ? 1 : 0));
        CHECK((parts.count == 1 || parts.count * of_result <= dmms));
        CHECK((parts.count == 1 || parts.steps >= 2));
      }
  CHECK(product_parts(264, 64, 32).count == 4);
  CHECK(product_parts(264, 4, 8).count == 4);
  CHECK(product_parts(1000, 1, 100).count == 15);  // of 7 steps
}

TEST_CASE("products in parts of the inner side") {
  using checks::small;
  auto const shapes = {mmm::product_shape(8, 8, 8),
                       {8, 32, 8},
                       {16, 40, 8},
                       {9, 33, 11},
                       {7, 61, 15},
                       {1, 200, 1},
                       {3, 0, 4},
                       {0, 3, 4},
                       {16, 24, 16}};
  checks::products_of<tiles, true>(small(11, 2, 7), 4, shapes);
  checks::products_of<tiles, true>(small(40, 1, 20, 2), 7, shapes);
  checks::products_of<mmm::product_tiles<8, 8, 4, 4, 4, 4, 3>, true>(small(11, 2, 7), 4, shapes);
}

TEST_CASE("products in parts with pitches, transposed factors, factors and batches") {
  using checks::placed_products::example;
  constexpr mmm::detail::register_product_algorithm<tiles, true> algorithm{};
  using machine = mmm::hmm<17, 4, 2, 7>;
  auto const p = mmm::threads(17 * 4);
  for (auto const& shape : {mmm::product_shape(8, 24, 8), mmm::product_shape(9, 19, 11)})
    for (word_index const gap : {0, 1, 4}) {
      CAPTURE(shape.rows, gap);
      example<true, false> const x{shape, gap};
      auto out = x.c;
      auto const call = [&](auto on) { x.run(algorithm, on, out, mmm::alpha(3), mmm::beta(-2)); };
      auto const run = mmm::simulate<machine>(p, call);
      CHECK(out == x.expected(3, -2));
      CHECK(run.races.empty());
      auto const cost = mmm::estimate<machine>(p, call);
      CHECK(cost.time == run.cost.time);
      CHECK(cost.stages == run.cost.stages);
      out = x.c;
      x.run(algorithm, mmm::host_threads<machine>(p), out, mmm::beta(1));
      CHECK(out == x.expected(1, 1));
    }
}

TEST_CASE("a product in parts takes less time where tiles are few") {
  mmm::hmm<264, 32, 30, 600, 29184, 19> const m;
  for (word_index const n : {256, 512, 500}) {
    auto const whole =
        mmm::cost_of(m, mmm::matrix_multiply_in_smaller_tiles, n, mmm::threads(264 * 128));
    auto const parts = mmm::cost_of(m, mmm::matrix_multiply_in_parts, n, mmm::threads(264 * 128));
    CAPTURE(n, whole.time, parts.time);
    CHECK(parts.closed_form);
    CHECK(2 * parts.time < whole.time);
  }
  word_index const n = 1024;  // a tile for almost every DMM: one part
  CHECK(mmm::cost_of(m, mmm::matrix_multiply_in_smaller_tiles, n, mmm::threads(264 * 128)).time ==
        mmm::cost_of(m, mmm::matrix_multiply_in_parts, n, mmm::threads(264 * 128)).time);
}
