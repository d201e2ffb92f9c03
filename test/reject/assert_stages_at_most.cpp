// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stride of 6 on 32 banks has the conflicts of a stride of 2: two stages, where one is allowed.
// The assertion names warp 3.
// expect-first(gcc, clang, nvcc): bank_conflict.*pattern<(mmm::expression_text<\d+>\{"item \* 6"\}|mmm::words::item, mmm::words::times, 6L?)>
// expect-first(gcc, clang, nvcc): found_stages<2L?>, mmm::allowed_stages<1L?>, mmm::worst_bank<0L?>, mmm::colliding_lanes<0L?, 16L?>
// expect-first(sentence): error: .*: mmm: bank conflict: item \* 6; found stages 2; allowed stages 1; worst bank 0; colliding lanes 0, 16
#include <mmm/cost/assert.hpp>

using shared = mmm::dmm<32, 1>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_stages_at_most<shared, mmm::item * 6, 2, 3>);
#else
static_assert(mmm::assert_stages_at_most<shared, mmm::item * 6, 1, 3>);
#endif
