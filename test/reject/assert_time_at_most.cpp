// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16 rounds of (2 warps + 400 - 1) time units.
// expect: mmm: too slow: more time units than allowed
// expect(gcc): over_items<1024>, mmm::by_threads<64>, mmm::found_time<6416>, mmm::allowed_time<6415>
// expect(clang): over_items<1024>, mmm::by_threads<64>, mmm::found_time<6416>, mmm::allowed_time<6415>
// expect(nvcc): Found=6416L, Allowed=6415L
#include <mmm/cost/assert.hpp>

using global = mmm::umm<32, 400>;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_time_at_most<global, mmm::item, 1024, 64, 6416>);
#else
static_assert(mmm::assert_time_at_most<global, mmm::item, 1024, 64, 6415>);
#endif
