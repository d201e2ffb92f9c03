// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two half warps far apart, the second one misaligned: three address groups.
// expect-first(gcc, clang, nvcc): uncoalesced_access.*pattern<(mmm::expression_text<\d+>\{"item \+ \(item / 16\) \* 104"\}|mmm::words::item, mmm::words::plus, mmm::words::open, mmm::words::item, mmm::words::divided_by, 16L?, mmm::words::close, mmm::words::times, 104L?)>
// expect-first(gcc, clang, nvcc): found_stages<3L?>, mmm::allowed_stages<1L?>, mmm::address_groups<0L?, 3L?, 4L?>, mmm::first_lanes<0L?, 16L?, 24L?>
// expect-first(sentence): error: .*: mmm: uncoalesced access: item \+ \(item / 16\) \* 104; found stages 3; allowed stages 1; address groups 0, 3, 4; first lanes 0, 16, 24
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
using mmm::item;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_coalesced<global, item>);
#else
static_assert(mmm::assert_coalesced<global, item + item / 16 * 104>);
#endif
