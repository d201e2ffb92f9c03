// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/floating_math.hpp>

//! f16 and bf16 values, one lane's or half a lane's, for tables compiled once for each DEVICE_ISA.
namespace device::DEVICE_ISA {

struct f16 {
  std::uint16_t bits;
};
struct bf16 {
  std::uint16_t bits;
};

namespace math {

template <class H>
inline constexpr std::uint16_t infinity_bits = std::is_same_v<H, f16> ? 0x7c00 : 0x7f80;

inline float widened(bf16 h) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(h.bits) << 16);
}
inline float widened(f16 h) {
  std::uint32_t const magnitude = static_cast<std::uint32_t>(h.bits & 0x7fff) << 13;
  // The exponent's bias is 112 less; scaling also makes subnormals normal, exactly.
  std::uint32_t const number =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  std::uint32_t const bits = magnitude >= (0x7c00U << 13) ? magnitude | 0x7f80'0000U : number;
  return std::bit_cast<float>(bits | (static_cast<std::uint32_t>(h.bits & 0x8000) << 16));
}

//! Rounded to nearest; NaN becomes 0x7fff. The host must round to nearest.
template <class H>
H narrowed(float a) {
  std::uint32_t const all = std::bit_cast<std::uint32_t>(a);
  std::uint32_t const magnitude = all & 0x7fff'ffffU;
  auto const sign = static_cast<std::uint32_t>((all >> 16) & 0x8000U);
  std::uint32_t r;
  if constexpr (std::is_same_v<H, f16>) {
    std::uint32_t const normal =
        (magnitude - (112U << 23) + 0xfffU + ((magnitude >> 13) & 1)) >> 13;
    // Next to 0.5 a step is 2^-24, as it is among subnormals of f16: the sum is rounded there.
    std::uint32_t const subnormal =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f00'0000U;
    r = magnitude < (113U << 23) ? subnormal : magnitude >= 0x477f'f000U ? 0x7c00U : normal;
  } else {
    r = (magnitude + 0x7fffU + ((magnitude >> 16) & 1)) >> 16;
  }
  return H{static_cast<std::uint16_t>(magnitude > 0x7f80'0000U ? 0x7fffU : r | sign)};
}

//! The float nearest to a or, if that is inexact, the one of its two neighbours whose last bit is
//! 1.
inline float to_odd(double a) {
  auto const r = static_cast<float>(a);
  auto const back = static_cast<double>(r);
  std::uint32_t const bits = std::bit_cast<std::uint32_t>(r);
  // a step towards a: +1 in the bits if that is away from zero
  std::uint32_t const step = abs(back) < abs(a) ? 1U : ~0U;
  bool const inexact = back != a && a == a;
  return std::bit_cast<float>(inexact && (bits & 1) == 0 ? bits + step : bits);
}

// One operation of halves is one of floats, rounded again: a float has more than twice the bits of
// a half's fraction.
template <auto F, class H>
H unary(H a) {
  return narrowed<H>(F(widened(a)));
}
template <auto F, class H>
H binary(H a, H b) {
  return narrowed<H>(F(widened(a), widened(b)));
}
//! The product is exact in a double. The sum of f16 values is exact, too, or so near one of them
//! that none lies in the middle between two f16 values; of bf16 values it is rounded to odd, so
//! that rounding it again rounds right.
inline f16 fused_half(f16 a, f16 b, f16 c) {
  return narrowed<f16>(to_odd(static_cast<double>(widened(a)) * static_cast<double>(widened(b)) +
                              static_cast<double>(widened(c))));
}
inline bf16 fused_half(bf16 a, bf16 b, bf16 c) {
  return narrowed<bf16>(
      to_odd(add_to_odd(static_cast<double>(widened(a)) * static_cast<double>(widened(b)),
                        static_cast<double>(widened(c)))));
}

// clang-format off
template <class H> H neg_half(H a) { return H{static_cast<std::uint16_t>(a.bits ^ 0x8000)}; }
template <class H> H abs_half(H a) { return H{static_cast<std::uint16_t>(a.bits & 0x7fff)}; }
template <class H> bool is_nan(H a) { return (a.bits & 0x7fff) > infinity_bits<H>; }
template <class H> H flushed_half(H a) {
  constexpr std::uint16_t least = std::is_same_v<H, f16> ? 0x400 : 0x80;
  return H{static_cast<std::uint16_t>((a.bits & 0x7fff) < least ? a.bits & 0x8000 : a.bits)};
}
// clang-format on
template <class H>
H rectified(H a) {
  return H{static_cast<std::uint16_t>((a.bits & 0x8000) != 0 && !is_nan(a) ? 0 : a.bits)};
}
//! In [0, 1]; NaN becomes 0.
template <class H>
H saturated_half(H a) {
  constexpr std::uint16_t one = std::is_same_v<H, f16> ? 0x3c00 : 0x3f80;
  return H{static_cast<std::uint16_t>((a.bits & 0x8000) != 0 || is_nan(a) ? 0
                                      : a.bits > one                      ? one
                                                                          : a.bits)};
}

//! Integers in the order of the values they stand for, -0 below +0.
template <class H>
std::int16_t ordered(H a) {
  auto const bits = static_cast<std::int16_t>(a.bits);
  return static_cast<std::int16_t>(bits ^ ((bits >> 15) & 0x7fff));
}
//! The number if one is none.
template <class H, bool Greatest>
H extreme(H a, H b) {
  bool const takes_a = Greatest ? ordered(a) > ordered(b) : ordered(a) < ordered(b);
  std::uint16_t const of_numbers = takes_a ? a.bits : b.bits;
  std::uint16_t const r = is_nan(a) ? b.bits : is_nan(b) ? a.bits : of_numbers;
  return H{is_nan(H{r}) ? std::uint16_t{0x7fff} : r};
}
template <class H, bool Greatest>
H extreme_nan(H a, H b) {
  return is_nan(a) || is_nan(b) ? H{0x7fff} : extreme<H, Greatest>(a, b);
}
//! F of the magnitudes, with the sign of the product.
template <auto F, class H>
H xor_sign_half(H a, H b) {
  H const r = F(abs_half(a), abs_half(b));
  return H{static_cast<std::uint16_t>(is_nan(r) ? r.bits : r.bits | ((a.bits ^ b.bits) & 0x8000))};
}

//! A value of a half as a float of a handler with mixed types.
template <class H>
float add_mixed(H a, float b) {
  return widened(a) + b;
}
template <class H>
float sub_mixed(H a, float b) {
  return widened(a) - b;
}
template <class H>
float fused_mixed(H a, H b, float c) {
  return fma(widened(a), widened(b), c);
}

}  // namespace math

}  // namespace device::DEVICE_ISA
