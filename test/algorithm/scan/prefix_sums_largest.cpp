// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix-sums of almost 2^63 values.
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>

using mmm::index;

TEST_CASE("prefix-sums of more than 2^62 values end", "[prefix_sums]") {
  // h = 1, 2, 4, …, 2^62: three rounds each
  index const p = index{1} << 62;
  auto const cost =
      mmm::cost_of(mmm::pram{}, mmm::prefix_sums_simple, mmm::size(p + 1), mmm::threads(p));
  CHECK(cost.time == 63 * 3);
  CHECK(mmm::cost_of(mmm::pram{}, mmm::prefix_sums_simple, mmm::size(p), mmm::threads(p)).time ==
        62 * 3);
}

TEST_CASE("a work array of 2^63 words or more is refused", "[prefix_sums]") {
  auto const call = [](index n) {
    return mmm::cost_of(mmm::umm<48, 1>{}, mmm::prefix_sums, mmm::size(n),
                        mmm::threads(48 * (index{1} << 57)));
  };
  CHECK_THROWS_AS(call(INT64_MAX), std::overflow_error);
  // 2^62 + 2^61 + … + 1 words, each number rounded up to a multiple of 48
  using levels = mmm::detail::scan_level;
  CHECK_THROWS_AS(levels::reject_too_many(INT64_MAX, 48), std::overflow_error);
  index const n = INT64_MAX - 63 * 47;
  CHECK_NOTHROW(levels::reject_too_many(n, 48));
  CHECK(levels::words(n, 48) > n - 63);
}
