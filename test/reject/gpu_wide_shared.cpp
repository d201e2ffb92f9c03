// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32 bytes a lane from shared memory, which only the global memory has.
// expect: the bytes that a lane accesses in shared memory
#include <mmm/gpu/cost.hpp>

#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::sectors<mmm::gpu::load<32>>(mmm::item * 32) == 32);
#else
static_assert(mmm::gpu::wavefronts<mmm::gpu::load<32>>(mmm::item * 32) == 8);
#endif
