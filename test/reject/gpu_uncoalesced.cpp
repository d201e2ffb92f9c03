// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp reads one float of each structure of 32 bytes: one sector per lane.
// expect: mmm: uncoalesced access: more sectors of 32 bytes than allowed
// expect(gcc): found_sectors<32>, mmm::gpu::allowed_sectors<4>, mmm::gpu::load<4>
// expect(clang): found_sectors<32>, mmm::gpu::allowed_sectors<4>, mmm::gpu::load<4>
// expect(nvcc): Found=32L, Allowed=4L
#include <mmm/gpu/assert.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::assert_sectors_at_most<load<4>, mmm::item * 4, 4>);
#else
static_assert(mmm::gpu::assert_sectors_at_most<load<4>, mmm::item * 32 + 8, 4>);
#endif
