// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/accumulator.hpp>
#include <mmm/gpu/number_type.hpp>

struct __half;
struct __nv_bfloat16;

//! CUDA's 2-byte numbers: their accumulator type is float.
namespace mmm {

template <>
struct accumulator<__half> {
  using type = float;
};
template <>
struct accumulator<__nv_bfloat16> {
  using type = float;
};

namespace gpu {
template <>
struct number_type<__half> : is_of_type<data_type::f16> {};
template <>
struct number_type<__nv_bfloat16> : is_of_type<data_type::bf16> {};
}  // namespace gpu

}  // namespace mmm
