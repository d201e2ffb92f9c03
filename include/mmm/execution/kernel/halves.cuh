// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/accumulator.hpp>

struct __half;
struct __nv_bfloat16;

//! CUDA's numbers of 2 bytes are added up as floats.
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
