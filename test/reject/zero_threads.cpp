// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the number of threads
// expect: 1 or more
#include <mmm/cost/cost.hpp>

#ifdef MMM_REJECT_CONTROL
constexpr auto cost = mmm::cost_of<mmm::dmm<32, 1>>(mmm::item, mmm::size(64), mmm::threads(1));
#else
constexpr auto cost = mmm::cost_of<mmm::dmm<32, 1>>(mmm::item, mmm::size(64), mmm::threads(0));
#endif
static_assert(cost.stages == 64);
