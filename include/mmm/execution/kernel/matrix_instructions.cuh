// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/fragments.hpp>
#include <mmm/gpu/data_type.hpp>

#include <cstdint>

//! The instructions of a warp for matrices in its registers: ldmatrix and mma.sync.
namespace mmm::detail {

//! Loads four matrices of 8 rows of 16 bytes: lane 8 j + q gives row q of matrix j. Words are of 4
//! bytes.
template <fragment_order Order, class T>
__device__ inline void load_matrices(T* r, void const* row) {
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  std::uint32_t x[4];
  if constexpr (Order == fragment_order::as_stored)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
#pragma unroll
  for (int k = 0; k < 4; ++k) r[k] = __builtin_bit_cast(T, x[k]);
}

//! Adds the product of 16 x 4 and 4 x 8 registers of 4 bytes to 16 x 8 sums.
template <gpu::data_type A, gpu::data_type B, class Sum, class T>
__device__ inline void multiply_matrices(Sum* c, T const* a, T const* b) {
  using enum gpu::data_type;
  auto const bits = [](T const& x) { return __builtin_bit_cast(std::uint32_t, x); };
#define MMM_DETAIL_MMA(shape, type_a, type_b, type_c, letter)                                \
  if constexpr (A == type_a && B == type_b)                                                  \
  asm("mma.sync.aligned." shape ".row.col." #type_c "." #type_a "." #type_b "." #type_c      \
      " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "                             \
      "%2, %3};"                                                                             \
      : "+" letter(c[0]), "+" letter(c[1]), "+" letter(c[2]), "+" letter(c[3])               \
      : "r"(bits(a[0])), "r"(bits(a[1])), "r"(bits(a[2])), "r"(bits(a[3])), "r"(bits(b[0])), \
        "r"(bits(b[1])))
  MMM_DETAIL_MMA("m16n8k16", f16, f16, f32, "f");
  MMM_DETAIL_MMA("m16n8k16", bf16, bf16, f32, "f");
  MMM_DETAIL_MMA("m16n8k8", tf32, tf32, f32, "f");
  MMM_DETAIL_MMA("m16n8k32", s8, s8, s32, "r");
  MMM_DETAIL_MMA("m16n8k32", u8, u8, s32, "r");
  MMM_DETAIL_MMA("m16n8k32", s8, u8, s32, "r");
  MMM_DETAIL_MMA("m16n8k32", u8, s8, s32, "r");
#undef MMM_DETAIL_MMA
}

}  // namespace mmm::detail
