// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicted times, and the choice by them.
#include <mmm/predict.hpp>

#include <iostream>

// [predict]
constexpr auto summed =
    mmm::predict<mmm::gpu::h200>(mmm::sum, mmm::size(1 << 28), mmm::threads(132 * 1024));
static_assert(summed.limit == mmm::time_limit::bytes_in_flight);  // not the memory's bandwidth
constexpr auto fastest = mmm::best<mmm::gpu::h200>(mmm::known::sums, mmm::size(1 << 28));
static_assert(fastest.time.limit == mmm::time_limit::global_bandwidth);
static_assert(fastest.time.microseconds < summed.microseconds / 3);
// [/predict]

int main() {
  // [why]
  auto const own = mmm::candidate_of("sum_wide, 3 blocks of 256", {3, 256}, mmm::sum_wide);
  mmm::candidates const two{own, mmm::candidate_of("sum", {1, 1024}, mmm::sum)};
  std::cout << text(mmm::report::why<mmm::gpu::a100>(two, mmm::size(1 << 20)));
  // [/why]
  return 0;
}
