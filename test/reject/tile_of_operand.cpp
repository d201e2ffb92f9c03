// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of 40 rows that wgmma cannot read in operands of 64: the error names the field, its value
// and what is accepted.
// expect-first(gcc, clang, nvcc): invalid_descriptor.*descriptor_field(::rows|\)11)
// expect-first(gcc, clang, nvcc): in_dimension<0>.*found_value<40L?>.*(::multiples_of_the_operand|\)19)>
#include <mmm/gpu/choose_operand_layout.hpp>

using operand = mmm::gpu::wgmma_operand<mmm::gpu::data_type::f16, 64>;
#ifdef MMM_REJECT_CONTROL
inline constexpr mmm::gpu::tile_shape shape{128, 64, 2};
#else
inline constexpr mmm::gpu::tile_shape shape{40, 64, 2};
#endif
static_assert(
    mmm::gpu::assert_layout<shape, mmm::gpu::tile_limits{}, mmm::gpu::operand_access<operand>()>);
