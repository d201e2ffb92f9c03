// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/half_math.hpp>

#include <utility>

//! Conversions of one value.
namespace device::DEVICE_ISA::math {

//! A value that rounds to any narrower type as an integer does: exact, or rounded to odd if it has
//! more than 53 bits.
inline double odd_double(std::uint64_t v) {
  std::uint64_t const sticky = (v & 0x7ff) != 0 ? 0x800 : 0;
  return static_cast<double>((v >> 53) != 0 ? (v & ~std::uint64_t{0x7ff}) | sticky : v);
}
inline double odd_double(std::int64_t v) {
  auto const bits = static_cast<std::uint64_t>(v);
  return v < 0 ? -odd_double(0 - bits) : odd_double(bits);
}

//! A float that stands for the value to be rounded (exact, or rounded to odd), rounded as `mode`
//! (row_flag) says.
template <class H>
H narrowed(float a, unsigned mode) {
  if (mode == round_nearest) return narrowed<H>(a);
  constexpr bool is_f16 = std::is_same_v<H, f16>;
  std::uint32_t const all = std::bit_cast<std::uint32_t>(a);
  std::uint32_t const magnitude = all & 0x7fff'ffffU;
  bool const negative = (all >> 31) != 0;
  if (magnitude > 0x7f80'0000U) return H{0x7fff};
  bool const away = mode == (negative ? round_down : round_up);
  std::uint32_t r;
  if (magnitude == 0x7f80'0000U) {
    r = infinity_bits<H>;
  } else if (!is_f16) {
    r = (magnitude + (away ? 0xffffU : 0U)) >> 16;
  } else if (magnitude >= 0x4780'0000U) {  // 65536 or more
    r = away ? infinity_bits<H> : infinity_bits<H> - 1U;
  } else if (magnitude >= (113U << 23)) {
    r = (magnitude - (112U << 23) + (away ? 0x1fffU : 0U)) >> 13;
  } else {
    std::uint32_t const exponent = magnitude >> 23;
    std::uint32_t const significand = exponent == 0 ? 0 : (magnitude & 0x7f'ffffU) | 0x80'0000U;
    std::uint32_t const shift = 126U - exponent < 31 ? 126U - exponent : 31U;
    std::uint32_t const rest = significand & ((1U << shift) - 1);
    r = (significand >> shift) +
        (away && (rest != 0 || (exponent == 0 && magnitude != 0)) ? 1U : 0U);
  }
  return H{static_cast<std::uint16_t>(r | (negative ? 0x8000U : 0U))};
}

//! The value without a fraction, as conversion_flag says. The host must round to nearest.
template <unsigned Mode, class T>
T integral_value(T a) {
  switch (Mode) {
    case 0:
      return std::nearbyint(a);
    case 1:
      return std::trunc(a);
    case 2:
      return std::floor(a);
    default:
      return std::ceil(a);
  }
}

//! Out of range: the nearest value. NaN: 0, but 100…0 in binary if one side has 64 bits.
template <class D, bool Is64>
D to_integer_value(double a) {
  constexpr auto no_number = static_cast<D>(Is64 ? std::uint64_t{1} << (8 * sizeof(D) - 1) : 0);
  using limits = std::numeric_limits<D>;
  // The limits as doubles: those of 64 bits round up to a power of two, which is out of range
  // itself.
  constexpr auto low = static_cast<double>(limits::min());
  constexpr auto high = static_cast<double>(limits::max());
  if constexpr (sizeof(D) < 8) {
    double const inside = a < low ? low : a > high ? high : a == a ? a : 0;
    if constexpr (sizeof(D) == 4 && !std::is_signed_v<D>) {
      // Vectors convert to signed integers only.
      bool const upper = inside >= 0x1p31;
      auto const r =
          static_cast<std::uint32_t>(static_cast<std::int32_t>(upper ? inside - 0x1p31 : inside));
      std::uint32_t const u = upper ? r + 0x8000'0000U : r;
      return a == a ? u : no_number;
    } else {
      return a == a ? static_cast<D>(static_cast<std::int32_t>(inside)) : no_number;
    }
  } else {
    if (a != a) return no_number;
    if (a < low) return limits::min();
    return a >= high ? limits::max() : static_cast<D>(a);
  }
}

template <class T>
double as_double(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(a);
  else
    return static_cast<double>(widened(a));
}

}  // namespace device::DEVICE_ISA::math
