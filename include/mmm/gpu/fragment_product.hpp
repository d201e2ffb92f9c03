// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/half.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/fragment.hpp>

#include <cstdint>

//! The arithmetic of mma.sync on the host.
namespace mmm::gpu {

//! The value of element k of a register of 4 bytes: a number of 16 or 8 bits, or a float whose
//! lower 13 bits tf32 ignores.
template <data_type Type>
[[nodiscard]] constexpr double element_in(std::uint32_t word, int k) {
  using enum data_type;
  static_assert(Type == f16 || Type == bf16 || Type == s8 || Type == u8 || Type == tf32,
                "mmm: products on the host are of f16, bf16, tf32, s8 and u8");
  if constexpr (Type == f16)
    return static_cast<double>(
        static_cast<float>(half_t::from_bits(static_cast<std::uint16_t>(word >> 16 * k))));
  else if constexpr (Type == bf16)
    return static_cast<double>(
        static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(word >> 16 * k))));
  else if constexpr (Type == s8)
    return static_cast<double>(static_cast<std::int8_t>(word >> 8 * k));
  else if constexpr (Type == u8)
    return static_cast<double>(static_cast<std::uint8_t>(word >> 8 * k));
  else
    return static_cast<double>(__builtin_bit_cast(float, word & 0xffffe000U));
}

namespace detail {

//! The value of the element at (row, column) of a fragment; `registers(lane, r)` are 4 bytes.
template <class Fragment, data_type Type, class Registers>
[[nodiscard]] constexpr double element_at_place(Registers const& registers, int row, int column) {
  int const number = Fragment::element_of(row, column);
  return element_in<Type>(registers(Fragment::lane_of(row, column), number / Fragment::packed),
                          number % Fragment::packed);
}

}  // namespace detail

//! Element number `element` of lane `lane` of C + A B, added up exactly to 53 bits in the order of
//! the inner side and rounded once; integers wrap around. \param c the element before. \param a, b
//! `a(lane, r)` is register r of a lane's fragment, 4 bytes.
template <class Shape, class Sum, class Left, class Right>
[[nodiscard]] constexpr Sum fragment_product(int lane, int element, Sum c, Left const& a,
                                             Right const& b) {
  int const row = Shape::c::row(lane, element);
  int const column = Shape::c::column(lane, element);
  auto sum = static_cast<double>(c);
  for (int k = 0; k < Shape::k; ++k)
    sum += detail::element_at_place<typename Shape::a, Shape::a_type>(a, row, k) *
           detail::element_at_place<typename Shape::b, Shape::b_type>(b, column, k);
  if constexpr (static_cast<Sum>(0.5) == Sum{})
    return static_cast<Sum>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
  else
    return static_cast<Sum>(sum);
}

}  // namespace mmm::gpu
