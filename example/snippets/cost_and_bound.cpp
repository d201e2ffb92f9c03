// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of an algorithm and its distance from a lower bound, as constant expressions.
// [all]
#include <mmm/mmm.hpp>

// address groups of 32 words, latency 400: a GPU's global memory
using machine = mmm::umm<32, 400>;
constexpr auto n = mmm::size(1 << 27);
constexpr auto p = mmm::threads(1 << 16);

constexpr auto cost = mmm::cost_of<machine>(mmm::sum, n, p);       // a closed form; nothing is run
constexpr auto bound = mmm::lower_bound<machine>(mmm::sum, n, p);  // no algorithm is faster

static_assert(cost.closed_form);
static_assert(cost.time <= 4 * bound.time);
static_assert(bound.bandwidth == 4194304);  // n/w: 32 words per time unit
static_assert(bound.latency == 819600);     // nl/p + l: a thread has one access in flight
static_assert(bound.reduction == 10800);    // l log n: a tree of 27 levels
// [/all]

int main() { return 0; }
