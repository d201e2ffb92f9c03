// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/strided.hpp>
#include <mmm/layout/swizzle.hpp>
#include <mmm/layout/swizzled.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>

TEST_CASE("shapes that no array has are refused by name and value") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_AS(mmm::row_major(-1, 4), std::invalid_argument);
  CHECK_THROWS_WITH(mmm::row_major(-1, 4), Contains("rows") && Contains("-1"));
  CHECK_THROWS_WITH(mmm::column_major(4, -2), Contains("columns") && Contains("-2"));
  CHECK_THROWS_WITH(mmm::padded(4, 4, -3), Contains("padding") && Contains("-3"));
  CHECK_THROWS_WITH(mmm::padded(-4, 4, 1), Contains("rows") && Contains("-4"));
  CHECK_THROWS_WITH(mmm::xor_swizzled(4, 24), Contains("24") && Contains("power of two"));
  CHECK_THROWS_WITH(mmm::xor_swizzled(4, 0), Contains("power of two"));
  CHECK_THROWS_WITH(mmm::rotated(4, 0), Contains("columns") && Contains("1 or more"));
  CHECK_THROWS_AS(mmm::rotated(-4, 4), std::invalid_argument);
}

TEST_CASE("shapes with more words than 64 bits can number are refused") {
  mmm::index const huge = INT64_MAX / 2;
  CHECK_THROWS_AS(mmm::row_major(huge, 3), std::overflow_error);
  CHECK_THROWS_AS(mmm::column_major(huge, 3), std::overflow_error);
  CHECK_THROWS_AS(mmm::padded(2, huge, 2 * (huge / 2) + 2), std::overflow_error);
  CHECK_THROWS_AS(mmm::padded(2, INT64_MAX, 1), std::overflow_error);
  CHECK_THROWS_AS(mmm::xor_swizzled(huge, 4), std::overflow_error);
  CHECK_THROWS_AS(mmm::rotated(huge, 3), std::overflow_error);
  CHECK(mmm::row_major(huge, 2).words() == 2 * huge);
}

TEST_CASE("strides, tiles and swizzles that no array has are refused by name and value") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::strided(-1, 4, 4, 1), Contains("rows") && Contains("-1"));
  CHECK_THROWS_WITH(mmm::strided(4, 4, 0, 1), Contains("row stride") && Contains("0"));
  CHECK_THROWS_WITH(mmm::strided(4, 4, 4, -1), Contains("column stride") && Contains("-1"));
  CHECK_THROWS_WITH(mmm::strided(4, 5, 4, 1), Contains("share"));
  CHECK_THROWS_WITH(mmm::strided(4, 4, 6, 4), Contains("share"));
  CHECK_NOTHROW(mmm::strided(2, 4, 6, 4));
  CHECK_THROWS_AS(mmm::strided(4, 4, INT64_MAX / 2, 1), std::overflow_error);
  CHECK_THROWS_WITH(mmm::blocked(10, 8, 4, 4), Contains("rows") && Contains("10"));
  CHECK_THROWS_WITH(mmm::blocked(8, 10, 4, 4), Contains("columns") && Contains("10"));
  CHECK_THROWS_WITH(mmm::blocked(8, 8, 0, 4), Contains("tiles") && Contains("0"));
  CHECK_THROWS_WITH((mmm::swizzled(mmm::row_major(3, 9), mmm::swizzle<3, 0, 3>{})),
                    Contains("27") && Contains("block"));
}
