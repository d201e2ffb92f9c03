// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cost/cost.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

#include <stdexcept>

using Catch::Matchers::Contains;
using mmm::item;

TEST_CASE("parameters below 1 are refused by name and value") {
  CHECK_THROWS_AS(mmm::threads(0), std::invalid_argument);
  CHECK_THROWS_WITH(mmm::threads(-3),
                    Contains("number of threads") && Contains("-3") && Contains("1 or more"));
  CHECK_THROWS_WITH(mmm::size(-1), Contains("size") && Contains("-1"));
  using any_dmm = mmm::dmm<32, mmm::dynamic>;
  CHECK_THROWS_WITH(any_dmm(0), Contains("latency") && Contains("0"));
  using any_umm = mmm::umm<32, mmm::dynamic, mmm::dynamic>;
  CHECK_THROWS_WITH(any_umm(1, 0), Contains("ports") && Contains("0"));
  using any_hmm =
      mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
  CHECK_THROWS_WITH(any_hmm(0, 1, 1, 1, 1), Contains("DMMs"));
  CHECK_THROWS_WITH(any_hmm(1, 0, 1, 1, 1), Contains("shared memories' latency"));
  CHECK_THROWS_WITH(any_hmm(1, 1, 1, 0, 1), Contains("capacity"));
}

TEST_CASE("an expression that has no value is refused") {
  mmm::dmm<4, 1> const m;
  mmm::index const zero = 0;
  CHECK_THROWS_WITH(mmm::cost_of(m, item / zero, mmm::size(8), mmm::threads(4)),
                    Contains("divisor") && Contains("0"));
  CHECK_THROWS_WITH(mmm::cost_of(m, item % zero, mmm::size(8), mmm::threads(4)),
                    Contains("divisor"));
  CHECK_THROWS_WITH(mmm::cost_of(m, item << item, mmm::size(8), mmm::threads(4)),
                    Contains("shift"));
  CHECK_THROWS_WITH(mmm::cost_of(m, item << 63, mmm::size(8), mmm::threads(4)),
                    Contains("shift") && Contains("63"));
  CHECK_THROWS_WITH(mmm::cost_of(m, item >> -1, mmm::size(8), mmm::threads(4)),
                    Contains("shift") && Contains("-1"));
}

TEST_CASE("figures over 64 bits are refused") {
  mmm::size const many(mmm::index{1} << 62);
  CHECK_THROWS_AS(mmm::cost_of(mmm::dmm<32, mmm::dynamic>(1000), item, many, mmm::threads(32)),
                  std::overflow_error);
  CHECK_NOTHROW(mmm::cost_of(mmm::dmm<32, 1>(), item, many, mmm::threads(32)));
  mmm::cost const large{1, mmm::index{1} << 62, 1, true};
  CHECK_THROWS_AS(large + large, std::overflow_error);
}

TEST_CASE("costs add up") {
  mmm::cost const a{1, 2, 3, true};
  mmm::cost const b{10, 20, 30, false};
  CHECK(a + b == mmm::cost{11, 22, 33, false});
  CHECK(a + a == mmm::cost{2, 4, 6, true});
}

TEST_CASE("an expression without a closed form is enumerated and says so") {
  auto const e = item * item % 1009 * (item ^ (item >> 3));
  mmm::cost const found = mmm::cost_of<mmm::dmm<1, 3>>(e, mmm::size(5000), mmm::threads(64));
  CHECK(found == mmm::cost{79, 5000, 5000 + 2 * 79, false});
}
