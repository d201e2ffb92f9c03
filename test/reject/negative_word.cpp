// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first five lanes of warp 0 ask for words before the array.
// expect-first(gcc, clang, nvcc): negative_word.*pattern<(mmm::expression_text<\d+>\{"item - 5"\}|mmm::words::item, mmm::words::minus, 5L?)>
// expect-first(gcc, clang, nvcc): warp_number<0L?>, mmm::in_lane<0L?>, mmm::word_address<-5L?>
// expect-first(sentence): error: .*: mmm: negative word: item - 5; warp number 0; in lane 0; word address -5
#include <mmm/cost/assert.hpp>

using shared = mmm::dmm<32, 1>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<shared, mmm::item - 5, 1>);
#else
static_assert(mmm::assert_conflict_free<shared, mmm::item - 5>);
#endif
