// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Item 1000 of warp 31 is the first one that asks for a word before the array.
// expect-first(gcc, clang, nvcc): negative_word.*pattern<(mmm::expression_text<\d+>\{"item \* \(-1\) \+ 999"\}|mmm::words::item, mmm::words::times, mmm::words::open, mmm::words::minus, 1L?, mmm::words::close, mmm::words::plus, 999L?)>
// expect-first(gcc, clang, nvcc): warp_number<31L?>, mmm::in_lane<8L?>, mmm::word_address<-1L?>
// expect-first(sentence): error: .*: mmm: negative word: item \* \(-1\) \+ 999; warp number 31; in lane 8; word address -1
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_time_at_most<global, mmm::item * (-1) + 999, 1000, 64, 100000>);
#else
static_assert(mmm::assert_time_at_most<global, mmm::item * (-1) + 999, 1001, 64, 100000>);
#endif
