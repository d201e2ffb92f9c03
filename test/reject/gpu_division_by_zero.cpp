// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 5 divides by 0.
// expect-first(gcc, clang, nvcc): not_computable.*pattern<(mmm::expression_text<\d+>\{"\(64 / \(item - 5\)\) \* 0"\}|mmm::words::open, 64L?, mmm::words::divided_by, mmm::words::open, mmm::words::item, mmm::words::minus, 5L?, mmm::words::close, mmm::words::close, mmm::words::times, 0L?)>
// expect-first(gcc, clang, nvcc): warp_number<0L?>, mmm::in_lane<5L?>
// expect-first(sentence): error: .*: mmm: not computable: \(64 / \(item - 5\)\) \* 0; warp number 0; in lane 5
#include <mmm/gpu/assert.hpp>

using mmm::gpu::load;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<load<4>, 64 / (mmm::item - 5) * 0, 1>);
#else
static_assert(mmm::assert_conflict_free<load<4>, 64 / (mmm::item - 5) * 0>);
#endif
