// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Column 40 of a tile of 33 columns: free of conflicts, and the next row's.
// expect-first(gcc, clang, nvcc): outside_of_layout.*pattern<(mmm::expression_text<\d+>\{"item \* 33 \+ 40"\}|mmm::words::item, mmm::words::times, 33L?, mmm::words::plus, 40L?)>
// expect-first(gcc, clang, nvcc): in_lane<0L?>, mmm::found_row<0L?>, mmm::found_column<40L?>, mmm::allowed_rows<32L?>, mmm::allowed_columns<33L?>
// expect-first(sentence): error: .*: mmm: outside of layout: item \* 33 \+ 40; in lane 0; found row 0; found column 40; allowed rows 32; allowed columns 33
#include <mmm/cost/assert.hpp>
#include <mmm/layout/row_major.hpp>

using shared = mmm::dmm<32, 1>;
constexpr mmm::row_major tile(32, 33);
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<shared, tile(mmm::item, 32)>);
#else
static_assert(mmm::assert_conflict_free<shared, tile(mmm::item, 40)>);
#endif
