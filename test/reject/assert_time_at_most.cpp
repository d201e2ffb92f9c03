// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16 rounds of (2 warps + 400 - 1) time units.
// expect-first(gcc, clang, nvcc): too_slow.*pattern<(mmm::expression_text<\d+>\{"item"\}|mmm::words::item)>
// expect-first(gcc, clang, nvcc): over_items<1024L?>, mmm::by_threads<64L?>, mmm::found_time<6416L?>, mmm::allowed_time<6415L?>
// expect-first(sentence): error: .*: mmm: too slow: item; over items 1024; by threads 64; found time 6416; allowed time 6415
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_time_at_most<global, mmm::item, 1024, 64, 6416>);
#else
static_assert(mmm::assert_time_at_most<global, mmm::item, 1024, 64, 6415>);
#endif
