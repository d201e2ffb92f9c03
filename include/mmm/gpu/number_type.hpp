// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/half.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/data_type.hpp>

#include <cstdint>

//! The types of C++ whose numbers tensor cores multiply.
namespace mmm::gpu {

//! The data_type of numbers of type T, its `value`: f16 of mmm::half_t and CUDA's __half, bf16 of
//! mmm::bfloat16 and __nv_bfloat16 (execution/kernel/halves.cuh), s8 and u8 of integers of 8 bits.
//! Others do not compile; a type of the same bits may specialize it.
template <class T>
struct number_type {
  static_assert(mmm::detail::never<T>,
                "mmm: tensor cores multiply numbers of half precision, bfloat16, integers of 8 "
                "bits, and floats with mmm::accept_tf32");
};
template <data_type Type>
struct is_of_type {
  static constexpr data_type value = Type;
};
template <>
struct number_type<half_t> : is_of_type<data_type::f16> {};
template <>
struct number_type<bfloat16> : is_of_type<data_type::bf16> {};
template <>
struct number_type<std::int8_t> : is_of_type<data_type::s8> {};
template <>
struct number_type<std::uint8_t> : is_of_type<data_type::u8> {};

}  // namespace mmm::gpu
