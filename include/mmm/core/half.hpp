// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/accumulator.hpp>
#include <mmm/core/config.hpp>

#include <cstdint>

//! Floating-point numbers of 2 bytes, on the host as in a kernel.
namespace mmm {

//! A number of 2 bytes whose exponent has `ExponentBits` bits: a value to store, which becomes a
//! float to be computed with. From a float it is rounded to the nearest, ties to even; numbers
//! beyond the largest one become infinite. In memory it is what CUDA's `__half` or `__nv_bfloat16`
//! is.
template <int ExponentBits>
struct alignas(2) float16 {
  unsigned char bytes[2];  //!< the lower one first; bytes may be read as words of 4 bytes

  static constexpr int mantissa_bits = 15 - ExponentBits;

  float16() = default;
  MMM_HOST_DEVICE constexpr float16(float x) : bytes{} { set(rounded(x)); }  // NOLINT: a number
  template <class T>
  requires detail::arithmetic<T>
  MMM_HOST_DEVICE constexpr explicit float16(T x) : float16(static_cast<float>(x)) {}

  [[nodiscard]] MMM_HOST_DEVICE static constexpr float16 from_bits(std::uint16_t bits) {
    float16 number(0.0F);
    number.set(bits);
    return number;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr std::uint16_t bits() const {
    return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
  }
  MMM_HOST_DEVICE constexpr operator float() const {  // NOLINT: reads like a number
    std::uint32_t const all = bits();
    std::uint32_t const sign = all >> 15 << 31;
    std::uint32_t const rest = (all & 0x7fffU) << (23 - mantissa_bits);
    constexpr std::uint32_t infinite = infinity << (23 - mantissa_bits);
    if (rest >= infinite) return __builtin_bit_cast(float, sign | 0x7f800000U | rest);
    // The power of two moves the exponent's bias and makes subnormal numbers normal ones.
    float const size = __builtin_bit_cast(float, rest) * scale();
    return sign != 0 ? -size : size;
  }

 private:
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr std::uint32_t infinity = ((1U << ExponentBits) - 1) << mantissa_bits;

  //! 2 to the difference of both biases.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr float scale() {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(127 - bias + 127) << 23);
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr std::uint16_t rounded(float x) {
    auto const all = __builtin_bit_cast(std::uint32_t, x);
    std::uint32_t const sign = all >> 31 << 15;
    std::uint32_t const size = all & 0x7fffffffU;
    if (size > 0x7f800000U)  // no number: the mantissa stays other than 0
      return static_cast<std::uint16_t>(sign | infinity | 1U << (mantissa_bits - 1));
    constexpr int dropped = 23 - mantissa_bits;
    constexpr auto least = static_cast<std::uint32_t>(127 - bias + 1) << 23;  // normal number
    std::uint32_t stored = 0;
    if (size >= least || ExponentBits == 8) {
      std::uint32_t const last_bit = size >> dropped & 1U;
      stored = ((size + ((1U << (dropped - 1)) - 1) + last_bit) >> dropped) -
               (static_cast<std::uint32_t>(127 - bias) << mantissa_bits);
    } else {
      // A float's last bit is that of a subnormal number here; the addition rounds.
      constexpr auto one = static_cast<std::uint32_t>(127 - bias + 1 + dropped) << 23;
      float const rounded = __builtin_bit_cast(float, size) + __builtin_bit_cast(float, one);
      stored = __builtin_bit_cast(std::uint32_t, rounded) - one;
    }
    return static_cast<std::uint16_t>(sign | (stored < infinity ? stored : infinity));
  }
  MMM_HOST_DEVICE constexpr void set(std::uint16_t bits) {
    bytes[0] = static_cast<unsigned char>(bits & 0xffU);
    bytes[1] = static_cast<unsigned char>(bits >> 8);
  }
};

//! A number of half precision: 5 bits of the exponent, 10 of the mantissa.
using half_t = float16<5>;
//! A bfloat16: 8 bits of the exponent, 7 of the mantissa.
using bfloat16 = float16<8>;

//! The accumulator type of numbers of 2 bytes is float.
template <int ExponentBits>
struct accumulator<float16<ExponentBits>> {
  using type = float;
};

}  // namespace mmm
