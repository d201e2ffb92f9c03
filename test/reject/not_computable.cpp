// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes 0 to 7 ask for words of 64 bits, lane 8 for 2^63.
// expect-first(gcc, clang, nvcc): not_computable.*pattern<(mmm::expression_text<\d+>\{"item \* 1152921504606846976"\}|mmm::words::item, mmm::words::times, 1152921504606846976L?)>
// expect-first(gcc, clang, nvcc): warp_number<0L?>, mmm::in_lane<8L?>
// expect-first(sentence): error: .*: mmm: not computable: item \* 1152921504606846976; warp number 0; in lane 8
#include <mmm/cost/assert.hpp>

using shared = mmm::dmm<32, 1>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_stages_at_most<shared, mmm::item*(mmm::index{1} << 58), 32>);
#else
static_assert(mmm::assert_stages_at_most<shared, mmm::item*(mmm::index{1} << 60), 32>);
#endif
