// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result that does not fit into 64 bits is an error, never a wrong result.
// expect: reject_overflow
#include <mmm/cost/cost.hpp>

#ifdef MMM_REJECT_CONTROL
constexpr auto cost =
    mmm::cost_of<mmm::dmm<32, 1>>(mmm::item, mmm::size(mmm::index{1} << 62), mmm::threads(32));
#else
constexpr auto cost =
    mmm::cost_of<mmm::dmm<32, 1000>>(mmm::item, mmm::size(mmm::index{1} << 62), mmm::threads(32));
#endif
static_assert(cost.closed_form);
