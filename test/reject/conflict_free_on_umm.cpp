// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: mmm::conflict_free is about banks: use it with a dmm
#include <mmm/cost/cost.hpp>

#ifdef MMM_REJECT_CONTROL
static_assert(mmm::conflict_free<mmm::dmm<32, 1>>(mmm::item));
#else
static_assert(mmm::conflict_free<mmm::umm<32, 1>>(mmm::item));
#endif
