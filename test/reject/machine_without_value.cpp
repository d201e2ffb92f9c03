// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine whose type does not know all its parameters, where only its type is given.
// expect: error.*mmm: a machine with mmm::dynamic parameters is a value
#include <mmm/model.hpp>

using machine = mmm::dmm<32, mmm::dynamic>;
#ifdef MMM_REJECT_CONTROL
constexpr auto cost = mmm::cost_of(machine(5), mmm::sum, mmm::size(64), mmm::threads(32));
#else
constexpr auto cost = mmm::cost_of<machine>(mmm::sum, mmm::size(64), mmm::threads(32));
#endif
static_assert(cost.time > 0);
