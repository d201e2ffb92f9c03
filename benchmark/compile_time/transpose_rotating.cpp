// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/model.hpp>

constexpr auto cost = mmm::cost_of<mmm::umm<32, 400>>(mmm::transpose_rotating, mmm::size(32768),
                                                      mmm::threads(1 << 16));
static_assert(cost.closed_form && cost.stages > (mmm::index{1} << 27) - (1 << 17));
