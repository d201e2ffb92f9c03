// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/product/product_traffic_bound.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

using mmm::index;
using mmm::product_shape;

//! The least h by enumeration of all numbers of elements a, b and c.
index enumerated(product_shape const& s, index work, index inputs, index results) {
  if (work == 0) return 0;
  index least = -1;
  for (index a = 0; a <= s.rows * s.inner; ++a)
    for (index b = 0; b <= s.inner * s.columns; ++b)
      for (index c = 0; c <= s.rows * s.columns; ++c) {
        if (a * s.columns < work || b * s.rows < work || c * s.inner < work) continue;
        if (a * b * c < work * work) continue;
        index const h = std::max<index>({0, a + b - inputs, c - results});
        if (least < 0 || h < least) least = h;
      }
  return least;
}

//! The bound of Al Daas et al. 2022 for the words that a node accesses.
double accessed(product_shape const& s, double nodes) {
  double side[3] = {static_cast<double>(s.rows), static_cast<double>(s.inner),
                    static_cast<double>(s.columns)};
  std::sort(side, side + 3);
  double const k = side[0], n = side[1], m = side[2];
  if (nodes <= m / n) return (m * n + m * k) / nodes + n * k;
  if (nodes <= m * n / k / k) return 2 * std::sqrt(m * n * k * k / nodes) + m * n / nodes;
  return 3 * std::pow(m * n * k / nodes, 2.0 / 3);
}

}  // namespace

TEST_CASE("the least traffic of a product is that of all numbers of accessed elements") {
  for (product_shape const& s :
       {product_shape(3, 3, 3), product_shape(4, 2, 3), product_shape(1, 5, 2),
        product_shape(6, 1, 4), product_shape(2, 8, 2), product_shape(3, 0, 3)}) {
    index const all = s.rows * s.inner * s.columns;
    for (index work = 0; work <= all; ++work)
      for (index const inputs : {0, 1, 5, 9, 30})
        for (index const results : {0, 1, 4, 12}) {
          CAPTURE(s.rows, s.inner, s.columns, work, inputs, results);
          CHECK(mmm::detail::product_traffic{s, work, inputs, results}.least() ==
                enumerated(s, work, inputs, results));
        }
  }
}

TEST_CASE("twice the traffic is at least the published bound less the words on a node") {
  for (product_shape const& s :
       {product_shape(1000, 1000, 1000), product_shape(2000, 100, 30), product_shape(7, 5000, 90),
        product_shape(1, 4096, 4096), product_shape(100000, 3, 2)})
    for (index const nodes : {1, 2, 3, 8, 60, 1000, 4096}) {
      CAPTURE(s.rows, s.inner, s.columns, nodes);
      auto const part = [nodes](index words) { return mmm::detail::ceil_divide(words, nodes); };
      index const inputs = part(s.rows * s.inner) + part(s.inner * s.columns);
      index const results = part(s.rows * s.columns);
      index const bound = mmm::product_words_bound(s, nodes, inputs, results);
      double const words = accessed(s, static_cast<double>(nodes));
      CHECK(2 * static_cast<double>(bound) >=
            words * (1 - 1e-12) - static_cast<double>(inputs + results));
    }
}

TEST_CASE("bounds of products whose work has more than 32 bits") {
  // the quotients' rounding loses less than one in a thousand
  product_shape const s(4096, 4096, 4096);
  index const bound = mmm::product_words_bound(s, 8, 0, 0);
  double const exact = std::cbrt(4.0) * std::pow(std::pow(4096.0, 3) / 8, 2.0 / 3);
  CHECK(static_cast<double>(bound) <= exact + 1);
  CHECK(static_cast<double>(bound) >= 0.998 * exact);
  CHECK_THROWS_AS(mmm::product_words_bound({1 << 22, 1 << 22, 1 << 22}, 8, 0, 0),
                  std::overflow_error);
}

TEST_CASE("roots are rounded up") {
  for (index n = 0; n <= 2000; ++n) {
    index const r = mmm::detail::ceil_square_root(n);
    REQUIRE(r * r >= n);
    REQUIRE((r == 0 || (r - 1) * (r - 1) < n));
  }
  CHECK(mmm::detail::ceil_square_root(INT64_MAX) == 3037000500);
  CHECK(mmm::detail::ceil_square_root(index{3037000499} * 3037000499) == 3037000499);
}

TEST_CASE("the bound for a size of the memories") {
  // 2^30/(2 sqrt(2) 8 sqrt(2^11)) = 2^20 words, less 2^11
  STATIC_REQUIRE(mmm::product_words_bound_in_memory({1024, 1024, 1024}, 8, 2048) == 1048576 - 2048);
  STATIC_REQUIRE(mmm::product_words_bound_in_memory({16, 16, 16}, 8, 2048) == 0);
  CHECK_THROWS_AS(mmm::product_words_bound_in_memory({1, 1, 1}, 1, 0), std::invalid_argument);
}
