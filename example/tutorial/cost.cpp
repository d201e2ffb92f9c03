// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tutorial's costs and bounds (docs/tutorial-bitonic-sort.md).
// [one_memory]
#include <mmm/report.hpp>

#include "bitonic_sort.hpp"

#include <iostream>

using shared = mmm::dmm<32, 7>;
constexpr mmm::cost of_one = mmm::estimate<shared>(mmm::threads(512), [](auto on) {
  bitonic_sort{}(on, 1024, on.template allocate<float>(1024));
});
// 10 * 11 / 2 steps of four accesses, each of 16 warps and without a conflict
static_assert(of_one.stages == 10 * 11 / 2 * 4 * 16);
static_assert(of_one.time == 10 * 11 / 2 * 4 * (16 + 7 - 1));
// [/one_memory]

// [hmm]
using machine =
    mmm::hmm<16, 32, 7, 400>;  // 16 DMMs; latency 7 of a shared memory, 400 of the global one
constexpr auto n = mmm::size(1 << 16);
constexpr auto p = mmm::threads(16 * 512);
constexpr mmm::cost cost = mmm::cost_of<machine>(sorting{}, n, p);
constexpr mmm::bound bound = mmm::lower_bound<machine>(sorting{}, n, p);
static_assert(cost.time == mmm::cost_of<machine>(mmm::sort, n, p).time);  // the library's own sort

int main() {
  std::cout << "shared memory: " << mmm::report::text(of_one) << '\n'
            << "HMM: " << mmm::report::text(cost) << '\n'
            << mmm::report::text(bound) << '\n'
            << mmm::report::text(mmm::lower_bound<machine>(mmm::sort, n, p)) << '\n';
}
// [/hmm]
