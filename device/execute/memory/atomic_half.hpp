// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

//! Arithmetic on 16-bit floating numbers in memory. Sums are rounded twice, to 24 bits and then to
//! 11 or 8, which gives what rounding once does (24 is at least twice as many and two more).
namespace device::memory_access_detail {

struct half_format {
  //! The value of an IEEE binary16.
  static float widen(std::uint16_t h) {
    std::uint32_t const sign = (h & 0x8000U) << 16;
    std::uint32_t const exponent = h >> 10 & 31U;
    std::uint32_t const fraction = h & 1023U;
    if (exponent == 0) {
      float const v = std::ldexp(static_cast<float>(fraction), -24);
      return sign != 0 ? -v : v;
    }
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  }
  //! The nearest one, ties to even.
  static std::uint16_t narrow(float v) {
    std::uint32_t const bits = std::bit_cast<std::uint32_t>(v);
    std::uint32_t const sign = bits >> 16 & 0x8000U;
    std::uint32_t const size = bits & 0x7fffffffU;
    if (size > 0x7f800000U) return 0x7fff;
    // 65520 and above round to infinity
    if (size >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
    // below 2^-14: a multiple of 2^-24
    if (size < 0x38800000U) {
      float const steps = std::nearbyint(std::ldexp(std::bit_cast<float>(size), 24));
      return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(steps));
    }
    std::uint32_t const even = size >> 13 & 1U;
    return static_cast<std::uint16_t>(sign | ((size + 0xfffU + even - (112U << 23)) >> 13));
  }
};

struct bfloat_format {
  static float widen(std::uint16_t h) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(h) << 16);
  }
  static std::uint16_t narrow(float v) {
    std::uint32_t const bits = std::bit_cast<std::uint32_t>(v);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
  }
};

}  // namespace device::memory_access_detail
