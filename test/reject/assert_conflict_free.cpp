// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column of a tile without padding: the error names the pattern, the stages, the bank and the
// lanes.
// expect: mmm: bank conflict: more stages than allowed
// expect(gcc): pattern<mmm::text<13>\{"item \* 32 \+ 7"\}>, mmm::found_stages<32>, mmm::allowed_stages<1>
// expect(clang): 'i', 't', 'e', 'm', ' ', '\*', ' ', '3', '2'|text<13>\{"item \* 32 \+ 7"\}
// expect(clang): found_stages<32>, mmm::allowed_stages<1>
// expect(nvcc): 'i', 't', 'e', 'm', ' ', '\*', ' ', '3', '2'
// expect(nvcc): Found=32L, Allowed=1L
// expect: worst_bank<7L?>
// expect: colliding_lanes<0L?, 1L?, 2L?, 3L?, .*30L?, 31L?>
#include <mmm/cost/assert.hpp>
#include <mmm/layout/row_major.hpp>

using shared = mmm::dmm<32, 1>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<shared, mmm::padded(32, 32, 1)(mmm::item, 7)>);
#else
static_assert(mmm::assert_conflict_free<shared, mmm::row_major(32, 32)(mmm::item, 7)>);
#endif
