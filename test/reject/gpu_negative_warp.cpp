// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps are numbered from 0. The pattern has aligned bytes for a negative warp, too.
// expect-first(gcc, clang, nvcc): negative_warp.*pattern<(mmm::expression_text<\d+>\{"item \* 4 \+ 4096"\}|mmm::words::item, mmm::words::times, 4L?, mmm::words::plus, 4096L?)>
// expect-first(gcc, clang, nvcc): warp_number<-2L?>
// expect-first(sentence): error: .*: mmm: negative warp: item \* 4 \+ 4096; warp number -2
#include <mmm/gpu/assert.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::assert_sectors_at_most<load<4>, mmm::item * 4 + 4096, 4, 2>);
#else
static_assert(mmm::gpu::assert_sectors_at_most<load<4>, mmm::item * 4 + 4096, 4, -2>);
#endif
