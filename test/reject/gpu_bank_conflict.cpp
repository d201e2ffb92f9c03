// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp loads 16 bytes per lane down a column, from rows of 64 floats: the error names the
// pattern, the wavefronts, the bank and the lanes.
// expect-first(gcc, clang, nvcc): bank_conflict.*pattern<(mmm::expression_text<\d+>\{"\(item \* 64 \+ 4\) \* 4"\}|mmm::words::open, mmm::words::item, mmm::words::times, 64L?, mmm::words::plus, 4L?, mmm::words::close, mmm::words::times, 4L?)>
// expect-first(gcc, clang, nvcc): found_wavefronts<32L?>, mmm::gpu::allowed_wavefronts<4L?>, mmm::gpu::load<16L?>, mmm::gpu::worst_phase<0L?, 4L?>, mmm::worst_bank<4L?>, mmm::colliding_lanes<0L?, 1L?, 2L?, 3L?, 4L?, 5L?, 6L?, 7L?>
// expect-first(sentence): error: .*: mmm: bank conflict: \(item \* 64 \+ 4\) \* 4; found wavefronts 32; allowed wavefronts 4; load 16; worst phase 0, 4; worst bank 4; colliding lanes 0, 1, 2, 3, 4, 5, 6, 7
#include <mmm/gpu/assert.hpp>
#include <mmm/layout/row_major.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::assert_conflict_free<load<16>, mmm::padded(32, 64, 4)(mmm::item, 4) * 4>);
#else
static_assert(mmm::gpu::assert_conflict_free<load<16>, mmm::row_major(32, 64)(mmm::item, 4) * 4>);
#endif
