// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts through linear maps: swizzles are some of them.
#include <mmm/layout/check.hpp>
#include <mmm/layout/linear_layout.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzle.hpp>
#include <mmm/layout/swizzled.hpp>

#include "catch.hpp"

#include <random>

using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;

namespace {

constexpr mmm::swizzled swizzled(mmm::row_major(32, 32), mmm::swizzle<5, 0, 5>{});
constexpr mmm::linear_map map_of_swizzle() {
  mmm::linear_map map(10);
  for (int i = 0; i < 10; ++i) map.image[i] = mmm::swizzle<5, 0, 5>{}(index{1} << i);
  return map;
}
constexpr mmm::linear_layout<10> linear(32, 32, map_of_swizzle());
static_assert(mmm::layout<mmm::linear_layout<10>>);
static_assert(mmm::same_places(linear, swizzled) && mmm::is_bijective(linear));
static_assert(mmm::same_places(mmm::linear_layout<5>(4, 8), mmm::row_major(4, 8)));
static_assert(mmm::same_places(mmm::linear_layout<5>(4, 8, 3), mmm::padded(4, 8, 3)));
static_assert(mmm::linear_layout<5>(4, 8, 3).words() == 3 * 11 + 8);
static_assert(mmm::linear_layout<0>(1, 1)(0, 0) == 0);

}  // namespace

TEST_CASE("a linear layout has one meaning for numbers and expressions") {
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    mmm::linear_map map(6);
    do
      for (index& image : map.image) image = static_cast<index>(random() % 64);
    while (map.rank() != 6);
    mmm::linear_layout<6> const layout(8, 8, map);
    REQUIRE(mmm::is_bijective(layout));
    auto const e = layout(item / 8, item % 8);
    for (index i = 0; i < 64; ++i) {
      CHECK(e(i) == layout(i / 8, i % 8));
      CHECK(e(i) == map(i));
    }
  }
}

TEST_CASE("maps that are no layout are refused by value") {
  mmm::linear_map map(4);
  CHECK_NOTHROW(mmm::linear_layout<4>(4, 4, map));
  CHECK_THROWS_WITH(mmm::linear_layout<4>(4, 2, mmm::linear_map(3)), Contains("8"));
  CHECK_THROWS_WITH(mmm::linear_layout<4>(4, 4, mmm::linear_map(3)), Contains("3"));
  CHECK_THROWS_WITH(mmm::linear_layout<4>(3, 4, map), Contains("rows") && Contains("3"));
  map.image[2] = 3;
  CHECK_THROWS_WITH(mmm::linear_layout<4>(4, 4, map), Contains("rank") && Contains("3"));
  map.image[2] = 16;
  CHECK_THROWS_WITH(mmm::linear_layout<4>(4, 4, map), Contains("rank") && Contains("-1"));
  CHECK_THROWS_WITH(mmm::linear_map(31), Contains("31"));
  CHECK_THROWS_WITH(mmm::linear_map(-1), Contains("-1"));
}
