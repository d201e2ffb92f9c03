// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/machine/machine.hpp>
#include <mmm/report/congestion_picture.hpp>

#include "catch.hpp"

#include <cstddef>
#include <string>

using Catch::Matchers::Contains;

TEST_CASE("a congestion's distribution as text and picture") {
  auto const four =
      mmm::expected_congestion<mmm::dmm<4, 1>>(mmm::matrix_access::stride, mmm::shift_scheme::ras);
  // 4^4 = 256 shifts: 24 without a conflict, 180 of two, 48 of three and 4 of four
  CHECK(
      mmm::report::text(four) ==
      "expected congestion 2.125000, exact\n   1     9.375 %\n   2    70.312 %\n   3    18.750 %\n"
      "   4     1.562 %\n");
  std::string const drawn = mmm::report::svg(four, "four <banks>");
  for (char const* word : {"four &lt;banks&gt;", "9.38 %", "70.3 %", "18.8 %", "1.56 %", "2.125"})
    CHECK_THAT(drawn, Contains(word));

  auto const sampled = mmm::expected_congestion<mmm::dmm<16, 1>>(
      mmm::matrix_access::diagonal, mmm::shift_scheme::rap, {.count = 1000, .seed = 3});
  CHECK_THAT(mmm::report::text(sampled),
             Contains("between") && Contains("confidence of 99.9 % by 1000 random shifts"));
  CHECK_THAT(mmm::report::svg(sampled, ""), Contains("confidence of 99.9 %"));
}
