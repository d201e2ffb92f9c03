// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/half_math.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

//! Floating-point numbers of 4 to 8 bits.
namespace device::DEVICE_ISA::math {

enum class nan_kind { ieee, all_ones, none };

//! A sign, an exponent, and a fraction; `Max` is the greatest finite magnitude's bits.
template <int ExponentBits, int FractionBits, std::uint32_t Max, nan_kind Nan>
struct small_format {
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr int bits = 1 + ExponentBits + FractionBits;
  static constexpr std::uint32_t sign_bit = 1U << (bits - 1);

  //! Rounded to nearest, beyond the greatest value that value.
  static std::uint32_t encode(float a) {
    std::uint32_t const all = std::bit_cast<std::uint32_t>(a);
    std::uint32_t const magnitude = all & 0x7fff'ffffU;
    std::uint32_t const sign = (all >> 31) != 0 ? sign_bit : 0U;
    // of NaN the sign is lost
    if (magnitude > 0x7f80'0000U) return Nan == nan_kind::none ? Max : sign_bit - 1;
    // Scaled so that the format's subnormals have the exponent field 0 or 1 where a float's has 127
    // or less.
    int const exponent = static_cast<int>(magnitude >> 23) - 127;
    int const least = 1 - bias;
    int const shift = 23 - FractionBits + (exponent < least ? least - exponent : 0);
    if (shift > 25) return sign;
    std::uint32_t const significand = (magnitude & 0x7f'ffffU) | 0x80'0000U;
    std::uint32_t const half = (1U << (shift - 1)) - 1 + ((significand >> shift) & 1);
    std::uint32_t r = (significand + half) >> shift;
    if (exponent >= least) r += static_cast<std::uint32_t>(exponent - least) << FractionBits;
    return (r > Max || exponent > 127 ? Max : r) | sign;
  }

  static float decode(std::uint32_t v) {
    std::uint32_t const magnitude = v & (sign_bit - 1);
    std::uint32_t const exponent = magnitude >> FractionBits;
    std::uint32_t const fraction = magnitude & ((1U << FractionBits) - 1);
    float r;
    if (Nan == nan_kind::ieee && exponent == (1U << ExponentBits) - 1)
      r = fraction != 0 ? not_a_number<float>() : std::numeric_limits<float>::infinity();
    else if (Nan == nan_kind::all_ones && magnitude == sign_bit - 1)
      r = not_a_number<float>();
    else if (exponent == 0)
      r = std::ldexp(static_cast<float>(fraction), 1 - bias - FractionBits);
    else
      r = std::ldexp(static_cast<float>(fraction + (1U << FractionBits)),
                     static_cast<int>(exponent) - bias - FractionBits);
    return (v & sign_bit) != 0 ? -r : r;
  }
};
using e4m3 = small_format<4, 3, 0x7e, nan_kind::all_ones>;
using e5m2 = small_format<5, 2, 0x7b, nan_kind::ieee>;
using e2m3 = small_format<2, 3, 0x1f, nan_kind::none>;
using e3m2 = small_format<3, 2, 0x1f, nan_kind::none>;
using e2m1 = small_format<2, 1, 0x7, nan_kind::none>;

}  // namespace device::DEVICE_ISA::math
