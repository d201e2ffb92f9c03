// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A padding of one float misaligns 16-byte accesses: lane 1 is the first whose address is not a
// multiple of 16.
// expect: mmm: unaligned access: a byte address is negative or no multiple
// expect: load<16L?>
// expect: in_lane<1L?>
// expect: byte_address<132L?>
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
