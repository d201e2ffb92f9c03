// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an algorithm costs, and how far from optimal it is.
// [all]
#include <mmm/mmm.hpp>

// address groups of 32 words, latency 400: a GPU's global memory
using machine = mmm::umm<32, 400>;
constexpr auto n = mmm::size(1 << 27);
constexpr auto p = mmm::threads(1 << 16);

constexpr auto cost = mmm::cost_of<machine>(mmm::sum, n, p);       // nothing is run: a closed form
constexpr auto bound = mmm::lower_bound<machine>(mmm::sum, n, p);  // what no algorithm can beat

static_assert(cost.closed_form);
static_assert(cost.time <= 4 * bound.time);
static_assert(bound.bandwidth == 4194304);  // n/w: 32 words per time unit
static_assert(bound.latency == 819600);     // nl/p + l: a thread has one access under way
static_assert(bound.reduction == 10800);    // l log n: a tree has 27 levels
// [/all]

int main() {}
