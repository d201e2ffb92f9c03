// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shape that mma.sync does not have: the error lists those that it has.
// expect: mmm: mma.sync has m16n8k8 and m16n8k16 of f16 and bf16
#include <mmm/gpu/fragment.hpp>

#ifdef MMM_REJECT_CONTROL
inline constexpr int depth = 16;
#else
inline constexpr int depth = 32;
#endif
static_assert(mmm::gpu::mma<16, 8, depth, mmm::gpu::data_type::f16>::capability == 80);
