// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile that was written without the swizzle of its descriptor: the error names the first element
// that is elsewhere, its place in bytes, and what is accepted.
// expect-first(gcc, clang, nvcc): invalid_descriptor.*descriptor_field(::place_of_element|\)16)
// expect-first(gcc, clang, nvcc): in_dimension<16>.*found_value<144L?>.*(::canonical_layout|\)17)>
#include <mmm/gpu/wgmma.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzle.hpp>

using operand = mmm::gpu::wgmma_operand<mmm::gpu::data_type::f16, 64>;
#ifdef MMM_REJECT_CONTROL
inline constexpr mmm::swizzled tile(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
#else
inline constexpr mmm::row_major tile(64, 64);
#endif
static_assert(mmm::gpu::assert_operand<operand, mmm::gpu::tensor_swizzle::bytes_128, tile>);
