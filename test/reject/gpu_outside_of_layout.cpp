// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last 8 of 16 rows are below a swizzled tile: its formula is used twice in the pattern.
// The pattern is long, so that clang prints it in pieces.
// expect-first(gcc, clang, nvcc): outside_of_layout.*pattern<(mmm::expression_text<\d+>\{"\(\(\(item % 16 \+ 56\) \* 64 \+ .*\) \* 2"\}|mmm::words::open, mmm::words::open, mmm::words::open, mmm::words::item, mmm::words::modulo, 16L?, mmm::words::plus, 56L?, .*, mmm::words::times, 2L?)>
// expect-first(gcc, clang, nvcc): in_lane<8L?>, mmm::found_row<64L?>, mmm::found_column<0L?>, mmm::allowed_rows<64L?>, mmm::allowed_columns<64L?>
// expect-first(sentence): error: .*: mmm: outside of layout: \(\(\(item % 16 \+ 56\) \* 64 \+ .*\) \* 2; in lane 8; found row 64; found column 0; allowed rows 64; allowed columns 64
#include <mmm/gpu/assert.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzle.hpp>

using mmm::item;
constexpr mmm::swizzled tile(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_inside<mmm::gpu::ldmatrix<4>, tile(item % 16 + 48, item / 16 * 8) * 2>);
#else
static_assert(mmm::assert_inside<mmm::gpu::ldmatrix<4>, tile(item % 16 + 56, item / 16 * 8) * 2>);
#endif
