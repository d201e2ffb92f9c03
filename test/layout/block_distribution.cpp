// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of almost equal size, compared with items that are dealt out one by one.
#include <mmm/layout/block_distribution.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using mmm::block_distribution;
using mmm::index;

constexpr index many = INT64_MAX;
constexpr block_distribution huge(many, 10000);
static_assert(huge.first(10000) == many && huge.words(0) == many / 10000 + 1);
static_assert(huge.block_of(many - 1) == 9999 && huge.block_of(0) == 0);
static_assert(huge.larger_blocks() == many % 10000 && huge.total() == many);
static_assert(huge.block_of(huge.first(huge.larger_blocks())) == huge.larger_blocks());
static_assert(huge.block_of(huge.first(huge.larger_blocks()) - 1) == huge.larger_blocks() - 1);
static_assert(block_distribution() == block_distribution(0, 1));

}  // namespace

TEST_CASE("blocks hold the items that are dealt out one by one", "[block_distribution]") {
  for (index blocks = 1; blocks <= 12; ++blocks)
    for (index n = 0; n <= 50; ++n) {
      CAPTURE(n, blocks);
      block_distribution const d(n, blocks);
      std::vector<index> size(static_cast<std::size_t>(blocks));
      for (index i = 0; i < n; ++i) ++size[static_cast<std::size_t>(i % blocks)];
      index item = 0;
      index larger = 0;
      for (index b = 0; b < blocks; ++b) {
        index const words = size[static_cast<std::size_t>(b)];
        REQUIRE(d.words(b) == words);
        REQUIRE(d.first(b) == item);
        if (words != n / blocks) ++larger;
        for (index i = 0; i < words; ++i, ++item) {
          REQUIRE(d.place(b, i) == item);
          REQUIRE(d.block_of(item) == b);
        }
      }
      REQUIRE(item == n);
      REQUIRE(d.first(blocks) == n);
      REQUIRE(d.larger_blocks() == larger);
      REQUIRE(d.total() == n);
    }
}

TEST_CASE("blocks of a negative number of items, and no blocks, are refused",
          "[block_distribution]") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(block_distribution(-1, 3),
                    Contains("number of items to distribute is -1; accepted: 0 or more"));
  CHECK_THROWS_WITH(block_distribution(3, 0), Contains("blocks is 0; accepted: 1 or more"));
  CHECK_THROWS_AS(block_distribution(3, INT64_MIN), std::invalid_argument);
}
