// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstdint>

//! Types of numbers that tensor cores and tensor maps know.
namespace mmm::gpu {

//! Types of numbers, named as PTX names them.
enum class data_type : std::uint8_t {
  b1,  //!< a bit
  u4,
  s4,
  e2m1,  //!< floating point of 4 bits: 2 of the exponent, 1 of the mantissa
  e2m3,  //!< floating point of 6 bits, stored in 8
  e3m2,  //!< floating point of 6 bits, stored in 8
  u8,
  s8,
  e4m3,  //!< floating point of 8 bits
  e5m2,  //!< floating point of 8 bits
  u16,
  f16,
  bf16,
  u32,
  s32,
  f32,
  tf32,  //!< f32 whose mantissa is rounded to 10 bits, stored in 32
  u64,
  s64,
  f64
};

//! Bits that a number occupies in a register or in memory.
[[nodiscard]] constexpr int bits_of(data_type t) {
  if (t == data_type::b1) return 1;
  if (t <= data_type::e2m1) return 4;
  if (t <= data_type::e5m2) return 8;
  if (t <= data_type::bf16) return 16;
  return t <= data_type::tf32 ? 32 : 64;
}

//! True for floating-point numbers.
[[nodiscard]] constexpr bool is_floating(data_type t) {
  using enum data_type;
  return t == e2m1 || t == e2m3 || t == e3m2 || t == e4m3 || t == e5m2 || t == f16 || t == bf16 ||
         t == f32 || t == tf32 || t == f64;
}

//! The name of a type, as PTX writes it.
[[nodiscard]] constexpr char const* text_of(data_type t) {
  constexpr char const* names[] = {"b1",  "u4",   "s4",   "e2m1", "e2m3", "e3m2", "u8",
                                   "s8",  "e4m3", "e5m2", "u16",  "f16",  "bf16", "u32",
                                   "s32", "f32",  "tf32", "u64",  "s64",  "f64"};
  return names[static_cast<int>(t)];
}
inline constexpr int data_types = static_cast<int>(data_type::f64) + 1;

}  // namespace mmm::gpu
