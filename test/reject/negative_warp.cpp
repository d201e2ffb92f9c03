// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps are numbered from 0.
// expect-first(gcc, clang, nvcc): negative_warp.*pattern<(mmm::expression_text<\d+>\{"item"\}|mmm::words::item)>
// expect-first(gcc, clang, nvcc): warp_number<-1L?>
// expect-first(sentence): error: .*: mmm: negative warp: item; warp number -1
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_coalesced<global, mmm::item, 1>);
#else
static_assert(mmm::assert_coalesced<global, mmm::item, -1>);
#endif
