// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp reads one float of each structure of 32 bytes: one sector per lane.
// expect-first(gcc, clang, nvcc): uncoalesced_access.*pattern<(mmm::expression_text<\d+>\{"item \* 32 \+ 8"\}|mmm::words::item, mmm::words::times, 32L?, mmm::words::plus, 8L?)>
// expect-first(gcc, clang, nvcc): found_sectors<32L?>, mmm::gpu::allowed_sectors<4L?>, mmm::gpu::load<4L?>
// expect-first(sentence): error: .*: mmm: uncoalesced access: item \* 32 \+ 8; found sectors 32; allowed sectors 4; load 4
#include <mmm/gpu/assert.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::assert_sectors_at_most<load<4>, mmm::item * 4, 4>);
#else
static_assert(mmm::gpu::assert_sectors_at_most<load<4>, mmm::item * 32 + 8, 4>);
#endif
