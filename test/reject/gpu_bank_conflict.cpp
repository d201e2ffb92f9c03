// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp loads 16 bytes per lane down a column, from rows of 64 floats: the error names the
// pattern, the wavefronts, the bank and the lanes.
// expect: mmm: bank conflict: more wavefronts than allowed
// expect(gcc): pattern<mmm::text<[0-9]+>\{"\(item \* 64 \+ 4\) \* 4"\}>
// expect(gcc): mmm::gpu::found_wavefronts<32>, mmm::gpu::allowed_wavefronts<4>, mmm::gpu::load<16>, mmm::gpu::worst_phase<0, 4>
// expect(clang): found_wavefronts<32>, mmm::gpu::allowed_wavefronts<4>, mmm::gpu::load<16>
// expect(nvcc): Found=32L, Allowed=4L
// expect: worst_bank<4L?>
// expect: colliding_lanes<0L?, 1L?, 2L?, 3L?, 4L?, 5L?, 6L?, 7L?>
#include <mmm/gpu/assert.hpp>
#include <mmm/layout/row_major.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::assert_conflict_free<load<16>, mmm::padded(32, 64, 4)(mmm::item, 4) * 4>);
#else
static_assert(mmm::gpu::assert_conflict_free<load<16>, mmm::row_major(32, 64)(mmm::item, 4) * 4>);
#endif
