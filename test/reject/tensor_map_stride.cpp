// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor map whose rows are 8200 bytes apart: the error names the field, its value and what is
// accepted.
// expect-first(gcc, clang, nvcc): invalid_descriptor.*descriptor_field(::strides|\)5)
// expect-first(gcc, clang, nvcc): in_dimension<0>.*found_value<8200L?>
// expect-first(gcc, clang, nvcc): accepted<.*(::multiples_of_16_below_2_to_the_40|\)7)>
#include <mmm/gpu/tensor_map.hpp>

#ifdef MMM_REJECT_CONTROL
inline constexpr mmm::index stride = 8208;
#else
inline constexpr mmm::index stride = 8200;
#endif
inline constexpr mmm::gpu::tensor_map map{
    mmm::gpu::data_type::f16, 2, 0, {4096, 4096}, {stride}, {64, 128}};
static_assert(mmm::gpu::assert_valid<map>);
