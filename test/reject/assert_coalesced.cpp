// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two half warps far apart, the second one misaligned: three address groups.
// expect: mmm: uncoalesced access: more stages than allowed
// expect(gcc): item \+ \(item / 16\) \* 104
// expect(gcc): found_stages<3>, mmm::allowed_stages<1>
// expect(clang): 'i', 't', 'e', 'm', ' ', '\+', ' ', '\('|text<24>\{"item \+ \(item / 16\) \* 104"\}
// expect(clang): found_stages<3>, mmm::allowed_stages<1>
// expect(nvcc): Found=3L, Allowed=1L
// expect: address_groups<0L?, 3L?, 4L?>
// expect: first_lanes<0L?, 16L?, 24L?>
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
using mmm::item;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_coalesced<global, item>);
#else
static_assert(mmm::assert_coalesced<global, item + item / 16 * 104>);
#endif
