// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic that has no result in 64 bits is refused, by name, wherever it happens.
#include <mmm/cost/cost.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/layout/strided.hpp>

#include "catch.hpp"

#include <stdexcept>
#include <string>

namespace {

using mmm::index;
using mmm::item;
using banks = mmm::dmm<32, 1>;
using groups = mmm::umm<32, 1>;

//! The message of what a call throws; empty if it throws nothing.
template <class Exception, class Call>
std::string message_of(Call const& call) {
  try {
    static_cast<void>(call());
  } catch (Exception const& e) {
    return e.what();
  }
  return "";
}

//! That an expression's value, stages and cost are refused in the same words, which are returned.
template <class Exception, class E>
std::string refused(E const& e, index at) {
  std::string const words = message_of<Exception>([&] { return e(at); });
  auto const moved = [&] {  // warp 0 has the item `at`, too
    return mmm::stages<banks>(e);
  };
  auto const cost = [&] { return mmm::cost_of<groups>(e, mmm::size(32), mmm::threads(32)); };
  if (at >= 0 && at < 32) {
    CHECK(message_of<Exception>(moved) == words);
    CHECK(message_of<Exception>(cost) == words);
  }
  return words;
}

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a quotient that has no result is refused with its operands") {
  index const least = INT64_MIN;
  CHECK(has(refused<std::overflow_error>((item * 0 + least) / -1, 0), "-9223372036854775808"));
  CHECK(has(refused<std::overflow_error>((item * 0 + least) % -1, 0), "-9223372036854775808"));
  CHECK(has(refused<std::overflow_error>(item / -1, least), "-9223372036854775808 / -1"));
  CHECK(has(refused<std::overflow_error>(item % -1, least), "-9223372036854775808 % -1"));
  CHECK(has(refused<std::invalid_argument>(item / 0, 3), "a divisor in an index expression is 0"));
  CHECK(has(refused<std::invalid_argument>(item % (item - 3), 3), "a divisor"));
  CHECK((item / -1)(INT64_MAX) == -INT64_MAX);
  CHECK((item % -1)(least + 1) == 0);
}

TEST_CASE("shifts are by 0 to 62 bits, for values, stages and costs alike") {
  for (index const bits : {64, 63, -1, 1000}) {
    std::string const what = "a shift in an index expression is " + std::to_string(bits);
    CHECK(has(refused<std::invalid_argument>(item << bits, 1), what));
    CHECK(has(refused<std::invalid_argument>(item >> bits, 1), what));
  }
  CHECK((item << 62)(1) == index{1} << 62);
  CHECK((item >> 62)(INT64_MAX) == 1);
  CHECK(has(refused<std::overflow_error>(item << 62, 2), "64 bits"));
}

TEST_CASE("sums, differences and products over 64 bits are refused") {
  CHECK(has(refused<std::overflow_error>(item + INT64_MAX, 1), "a sum"));
  CHECK(has(refused<std::overflow_error>(item * (INT64_MAX / 2), 3), "a product"));
  CHECK(has(refused<std::overflow_error>(-2 - item, INT64_MAX), "a difference"));
  CHECK(has(refused<std::overflow_error>(-item, INT64_MIN), "a difference"));
  // an array's offset
  auto const program = [](auto& on) {
    auto const a = on.template allocate<float>(64) + 32;
    on.each(1, [&](auto i) { (a + INT64_MAX)[i] = 0.0F; });
  };
  CHECK_THROWS_AS(mmm::estimate<banks>(mmm::threads(32), program), std::overflow_error);
}

TEST_CASE("an unsigned number from 2^63 on is refused, not taken for a negative one") {
  std::uint64_t const large = std::uint64_t{1} << 63;
  for (auto const& words :
       {message_of<std::invalid_argument>([&] { return item * large; }),
        message_of<std::invalid_argument>([&] { return large - item; }),
        message_of<std::invalid_argument>([&] { return min(item, large); }),
        message_of<std::invalid_argument>([&] { return item < large; }),
        message_of<std::invalid_argument>([&] { return select(item < 3, large, item); })})
    CHECK(has(words, "is 9223372036854775808; accepted: less than 2^63"));
  CHECK((item + (large - 1))(0) == INT64_MAX);
}

TEST_CASE("a side that is not chosen is not evaluated") {
  CHECK(select(item == 0, 5, 7 / item)(0) == 5);
  CHECK(select(item != 0 && 7 / item == 7, 1, 2)(0) == 2);
  CHECK(select(item == 0 || 7 / item == 7, 1, 2)(0) == 1);
  CHECK(mmm::stages<banks>(select(item == 0, 5, 96 / item * 32)) == 16);
}

TEST_CASE("lanes without an item may hold any number") {
  mmm::warp_index<4> const x(INT64_MIN, 1);
  CHECK((x / -1)[1] == INT64_MAX);
  CHECK((x % -1)[0] == 0);
  mmm::warp_index<4> const divisors(-1, 1);
  CHECK((x / divisors)[1] == 0);
  CHECK((x % divisors)[0] == 0);
  CHECK((x << divisors)[0] == 0);
  CHECK_THROWS_AS(x << 64, std::invalid_argument);
  CHECK_THROWS_AS(x >> -1, std::invalid_argument);
}

TEST_CASE("a layout's tiles fit into 64 bits") {
  CHECK_THROWS_AS(mmm::blocked(0, 0, index{1} << 40, index{1} << 40), std::overflow_error);
}

TEST_CASE("a row of 2^40 items cut into warps of 20") {
  mmm::trapezoid const row{1, index{1} << 40, (index{1} << 40) + 1};
  mmm::detail::access_domain of;
  of.items = row.items();
  of.threads = 20;
  mmm::trapezoid_variable<mmm::detail::column_slot> const column;
  auto const found = mmm::detail::cost_of_trapezoid_access(groups{}, of, row, column);
  auto const same = mmm::detail::cost_of_access(groups{}, of, item);
  CHECK(found.stages == same.stages);
  CHECK(found.time == same.time);
}
