// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stride of 6 on 32 banks has the conflicts of a stride of 2: two stages, where one is allowed.
// The assertion names warp 3.
// expect: mmm: bank conflict: more stages than allowed
// expect(gcc): found_stages<2>, mmm::allowed_stages<1>
// expect(clang): found_stages<2>, mmm::allowed_stages<1>
// expect(nvcc): Found=2L, Allowed=1L
// expect: worst_bank<0L?>
// expect: colliding_lanes<0L?, 16L?>
#include <mmm/cost/assert.hpp>

using shared = mmm::dmm<32, 1>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_stages_at_most<shared, mmm::item * 6, 2, 3>);
#else
static_assert(mmm::assert_stages_at_most<shared, mmm::item * 6, 1, 3>);
#endif
