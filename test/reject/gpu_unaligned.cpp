// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A padding of one float misaligns 16-byte accesses: lane 1 is the first whose address is not a
// multiple of 16.
// expect-first(gcc, clang, nvcc): unaligned_access.*pattern<(mmm::expression_text<\d+>\{"\(item \* 33 \+ 0\) \* 4"\}|mmm::words::open, mmm::words::item, mmm::words::times, 33L?, mmm::words::plus, 0L?, mmm::words::close, mmm::words::times, 4L?)>
// expect-first(gcc, clang, nvcc): load<16L?>, mmm::in_lane<1L?>, mmm::gpu::byte_address<132L?>
// expect-first(sentence): error: .*: mmm: unaligned access: \(item \* 33 \+ 0\) \* 4; load 16; in lane 1; byte address 132
#include <mmm/gpu/assert.hpp>
#include <mmm/layout/row_major.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(
    mmm::gpu::assert_wavefronts_at_most<load<16>, mmm::padded(32, 32, 4)(mmm::item, 0) * 4, 32>);
#else
static_assert(
    mmm::gpu::assert_wavefronts_at_most<load<16>, mmm::padded(32, 32, 1)(mmm::item, 0) * 4, 32>);
#endif
