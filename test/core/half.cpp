// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/core/half.hpp>

#include "catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

static_assert(sizeof(mmm::half_t) == 2 && alignof(mmm::bfloat16) == 2);
static_assert(mmm::half_t(1.0F).bits() == 0x3c00 && mmm::half_t(-2).bits() == 0xc000);
static_assert(mmm::half_t(65504.0F).bits() == 0x7bff && mmm::half_t(65520.0F).bits() == 0x7c00);
static_assert(static_cast<float>(mmm::half_t::from_bits(1)) == 0x1p-24F);
static_assert(mmm::bfloat16(1.0F).bits() == 0x3f80);
static_assert(static_cast<float>(mmm::bfloat16::from_bits(1)) == 0x1p-133F);

namespace {

//! Every number is its own value, and a float between two numbers becomes the nearer one, of two
//! equally near ones that with the even mantissa.
template <class Number>
void check_rounding(std::uint16_t infinity) {
  bool same = true;
  bool nearest = true;
  for (std::uint32_t bits = 0; bits < infinity; ++bits) {
    auto const number = Number::from_bits(static_cast<std::uint16_t>(bits));
    float const value = number;
    same = same && Number(value).bits() == bits && Number(-value).bits() == (bits | 0x8000U);
    if (bits + 1U == infinity) break;
    auto const next = static_cast<float>(Number::from_bits(static_cast<std::uint16_t>(bits + 1)));
    auto const middle = static_cast<float>((static_cast<double>(value) + next) / 2);
    auto const even = bits % 2 == 0 ? bits : bits + 1;
    nearest = nearest && Number(middle).bits() == even &&
              Number(std::nextafter(middle, 0.0F)).bits() == bits &&
              Number(std::nextafter(middle, next)).bits() == bits + 1;
  }
  CHECK(same);
  CHECK(nearest);
  constexpr float infinite = std::numeric_limits<float>::infinity();
  CHECK(Number(infinite).bits() == infinity);
  CHECK(static_cast<float>(Number::from_bits(infinity)) == infinite);
  CHECK(static_cast<float>(Number(-infinite)) == -infinite);
  CHECK(std::isnan(static_cast<float>(Number(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(Number(std::numeric_limits<float>::max()).bits() == infinity);
}

}  // namespace

TEST_CASE("numbers of 2 bytes are rounded to the nearest", "[half]") {
  check_rounding<mmm::half_t>(0x7c00);
  check_rounding<mmm::bfloat16>(0x7f80);
}
