// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last of 2^20 items has a word of more than 64 bits.
// expect-first(gcc, clang, nvcc): not_computable.*pattern<(mmm::expression_text<\d+>\{"item \* 1125899906842624"\}|mmm::words::item, mmm::words::times, 1125899906842624L?)>
// expect-first(gcc, clang, nvcc): over_items<1048576L?>, mmm::by_threads<1024L?>
// expect-first(sentence): error: .*: mmm: not computable: item \* 1125899906842624; over items 1048576; by threads 1024
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
#ifdef MMM_REJECT_CONTROL
static_assert(
    mmm::assert_time_at_most<global, mmm::item*(mmm::index{1} << 40), 1048576, 1024, 10000000>);
#else
static_assert(
    mmm::assert_time_at_most<global, mmm::item*(mmm::index{1} << 50), 1048576, 1024, 10000000>);
#endif
