// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/accumulator.hpp>

struct __half;
struct __nv_bfloat16;

//! The accumulator type of CUDA's 2-byte numbers is float.
namespace mmm {

template <>
struct accumulator<__half> {
  using type = float;
};
template <>
struct accumulator<__nv_bfloat16> {
  using type = float;
};

}  // namespace mmm
