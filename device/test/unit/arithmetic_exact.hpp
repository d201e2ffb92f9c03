// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arithmetic_checks.hpp"

#include <cstring>

//! Rounding by integer arithmetic, for values that 113 bits hold exactly, or nearly: quotients and
//! roots of values of 53 bits, which are more than 2^-112 of their value away from any rounding
//! boundary.
namespace checks {

__extension__ using quad = __float128;

enum class direction { nearest, zero, down, up };

//! A floating-point format: the bits of the significand, including the leading one, and the
//! exponent of the least normal number.
struct format {
  int digits, least, greatest;
};
template <class T>
constexpr format format_of{};
template <>
constexpr format format_of<float>{24, -126, 127};
template <>
constexpr format format_of<double>{53, -1022, 1023};
template <>
constexpr format format_of<half_bits>{11, -14, 15};
template <>
constexpr format format_of<brain_bits>{8, -126, 127};

template <class T>
T infinity_of() {
  constexpr format f = format_of<T>;
  return std::bit_cast<T>(
      static_cast<bits_of<T>>(static_cast<std::uint64_t>(f.greatest * 2 + 1) << (f.digits - 1)));
}
template <class T>
T with_sign(T v, bool negative) {
  bits_of<T> const sign = static_cast<bits_of<T>>(bits_of<T>{1} << (8 * sizeof(T) - 1));
  bits_of<T> const b = std::bit_cast<bits_of<T>>(v);
  return std::bit_cast<T>(
      static_cast<bits_of<T>>(negative ? b | sign : b & static_cast<bits_of<T>>(~sign)));
}
template <class T>
T next_below_infinity() {
  return std::bit_cast<T>(static_cast<bits_of<T>>(std::bit_cast<bits_of<T>>(infinity_of<T>()) - 1));
}
template <class T>
T nan_of() {
  return std::bit_cast<T>(static_cast<bits_of<T>>(std::bit_cast<bits_of<T>>(infinity_of<T>()) + 1));
}

//! The exact value of a number of any format, as a quad.
template <class T>
quad exact_value(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    return v;
  } else {
    constexpr format f = format_of<T>;
    int const exponent = (v.bits & 0x7fff) >> (f.digits - 1);
    int const fraction = v.bits & ((1 << (f.digits - 1)) - 1);
    double r = 0;
    if (exponent == 2 * f.greatest + 1)
      r = fraction != 0 ? std::nan("") : HUGE_VAL;
    else if (exponent == 0)
      r = std::ldexp(fraction, f.least - f.digits + 1);
    else
      r = std::ldexp(fraction + (1 << (f.digits - 1)), exponent - f.greatest - f.digits + 1);
    return (v.bits & 0x8000) != 0 ? -r : r;
  }
}

//! Rounds a finite, nonzero quad. With `sticky`, its last bit stands for a nonzero remainder.
template <class T>
T rounded(quad x, direction d, bool sticky = false) {
  constexpr format f = format_of<T>;
  if (x != x) return nan_of<T>();
  uint128 bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  bool const negative = static_cast<bool>(bits >> 127);
  if (x == 0) return with_sign(T{}, negative);
  int const exponent = static_cast<int>((bits >> 112) & 0x7fff) - 16383;
  if (exponent == 16384) return with_sign(infinity_of<T>(), negative);
  uint128 const digits = (bits & ((uint128{1} << 112) - 1)) | (uint128{1} << 112);
  int const below = exponent < f.least ? f.least - exponent : 0;
  int const shift = 113 - f.digits + below;
  uint128 kept = shift > 120 ? 0 : digits >> shift;
  uint128 const rest = shift > 120 ? 1 : digits - (kept << shift);
  uint128 const half = shift > 120 ? 2 : uint128{1} << (shift - 1);
  bool const away =
      d == direction::nearest ? rest > half || (rest == half && (sticky || (kept & 1) != 0))
      : d == direction::zero  ? false
                              : (rest != 0 || sticky) && negative == (d == direction::down);
  if (away) ++kept;
  // The significand is added to the exponent field, so that a carry increments the exponent.
  auto const field = static_cast<std::uint64_t>(below != 0 ? 0 : exponent - f.least);
  std::uint64_t const result = static_cast<std::uint64_t>(kept) + (field << (f.digits - 1));
  std::uint64_t const most = std::bit_cast<bits_of<T>>(infinity_of<T>());
  if (result < most) return with_sign(std::bit_cast<T>(static_cast<bits_of<T>>(result)), negative);
  bool const to_infinity =
      d == direction::nearest || (d != direction::zero && negative == (d == direction::down));
  return with_sign(to_infinity ? infinity_of<T>() : next_below_infinity<T>(), negative);
}

//! a + b, rounded; an exact zero has the sign that IEEE 754 specifies. `a` and `b` may be so far
//! apart that no quad holds the sum.
template <class T>
T rounded_sum(quad a, quad b, direction d) {
  quad const sum = a + b;
  if (sum == 0 && sum == sum) {
    bool const both_negative = __builtin_signbit(static_cast<double>(a)) != 0 &&
                               __builtin_signbit(static_cast<double>(b)) != 0;
    bool const both_positive = __builtin_signbit(static_cast<double>(a)) == 0 &&
                               __builtin_signbit(static_cast<double>(b)) == 0;
    bool const exact_zeros = a == 0 && b == 0;
    bool const negative =
        (exact_zeros && both_negative) ||
        (!(exact_zeros && (both_negative || both_positive)) && d == direction::down);
    return with_sign(T{}, negative);
  }
  if (sum != sum || sum - sum != 0) return rounded<T>(sum, d);
  quad const larger = (a < 0 ? -a : a) < (b < 0 ? -b : b) ? b : a;
  quad const smaller = (a < 0 ? -a : a) < (b < 0 ? -b : b) ? a : b;
  quad const error = smaller - (sum - larger);
  if (error == 0) return rounded<T>(sum, d);
  // Rounds towards zero; a sticky last bit marks a remainder.
  uint128 bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  if ((error < 0) != (sum < 0)) --bits;
  bits |= 1;
  quad toward_zero = 0;
  std::memcpy(&toward_zero, &bits, sizeof bits);
  return rounded<T>(toward_zero, d, true);
}

struct named_direction {
  char const* name;
  direction d;
};
constexpr named_direction directions[] = {{".rn", direction::nearest},
                                          {".rz", direction::zero},
                                          {".rm", direction::down},
                                          {".rp", direction::up}};

}  // namespace checks
