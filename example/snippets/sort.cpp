// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting: the cost for all data, and keys with values on a simulated GPU. Shown in
// docs/algorithms.md.
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>

#include <iostream>
#include <string>
#include <vector>

// [cost]
using shared = mmm::dmm<32, 7>;  // 32 banks, latency 7
// 2^12 = 4096 words: 12 * 13 / 2 steps of 2048 comparators, none of which has a bank conflict
constexpr auto sorting = mmm::cost_of<shared>(mmm::sort, mmm::size(4096), mmm::threads(256));
static_assert(sorting.stages == 12 * 13 / 2 * 4 * (2048 / 32));
static_assert(sorting.time == 12 * 13 * (256 / 32 + 7 - 1) * 4096 / 256);
// [/cost]
// [radix]
// 8 passes over 4 bits; in each, 4096 keys are read twice and moved once
constexpr auto by_digits = [](mmm::scatter places) {
  return mmm::cost_of<shared>(mmm::radix_sort, mmm::size(4096), mmm::threads(256), places);
};
constexpr auto counts =
    mmm::cost_of<shared>(mmm::prefix_sums, mmm::size(16 * 256), mmm::threads(256));
static_assert(by_digits(mmm::scatter::contiguous).time ==
              8 * ((3 * 4096 / 256 + 32) * (256 / 32 + 7 - 1) + counts.time));
static_assert(by_digits(mmm::scatter::conflicting).time -
                  by_digits(mmm::scatter::contiguous).time ==
              8 * (4096 - 4096 / 32));
// [/radix]

int main() {
  // [run]
  std::vector<int> keys{3, 1, 2, 1};
  std::vector<std::string> values{"three", "one", "two", "one"};
  auto const run = mmm::simulate<mmm::hmm<2, 4, 1, 9>>(mmm::threads(8), [&](auto on) {
    mmm::sort_pairs(on, keys.begin(), keys.end(), values.begin(), mmm::descending{});
  });
  for (std::string const& value : values) std::cout << value << ' ';  // three two one one
  std::cout << run.cost.time << '\n';
  // [/run]
  return values.front() == "three" && values.back() == "one" && run.race_count == 0 ? 0 : 1;
}
