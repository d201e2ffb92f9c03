// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: mmm::coalesced is about address groups: use it with a umm
#include <mmm/cost/cost.hpp>

#ifdef MMM_REJECT_CONTROL
static_assert(mmm::coalesced<mmm::umm<32, 1>>(mmm::item));
#else
static_assert(mmm::coalesced<mmm::dmm<32, 1>>(mmm::item));
#endif
