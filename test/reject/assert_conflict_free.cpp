// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column of a tile of 24 words per row: the error names the pattern, the stages, the bank and the
// lanes.
// expect-first(gcc, clang, nvcc): bank_conflict.*pattern<(mmm::expression_text<\d+>\{"item \* 24 \+ 0"\}|mmm::words::item, mmm::words::times, 24L?, mmm::words::plus, 0L?)>
// expect-first(gcc, clang, nvcc): found_stages<8L?>, mmm::allowed_stages<1L?>, mmm::worst_bank<0L?>, mmm::colliding_lanes<0L?, 4L?, 8L?, 12L?, 16L?, 20L?, 24L?, 28L?>
// expect-first(sentence): error: .*: mmm: bank conflict: item \* 24 \+ 0; found stages 8; allowed stages 1; worst bank 0; colliding lanes 0, 4, 8, 12, 16, 20, 24, 28
// shown(gcc, sentence): README.md
#include <mmm/cost/assert.hpp>
#include <mmm/layout/row_major.hpp>

using shared = mmm::dmm<32, 1>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<shared, mmm::row_major(32, 25)(mmm::item, 0)>);
#else
static_assert(mmm::assert_conflict_free<shared, mmm::row_major(32, 24)(mmm::item, 0)>);
#endif
