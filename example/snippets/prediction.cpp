// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicted times, and the choice by them. With a folder as argument, the program draws
// docs/prediction_why.svg there.
#include <mmm/space.hpp>

#include <fstream>
#include <iostream>
#include <string>

// [predict]
constexpr auto summed =
    mmm::predict<mmm::gpu::h200>(mmm::sum, mmm::size(1 << 28), mmm::threads(132 * 1024));
static_assert(summed.limit == mmm::time_limit::bytes_in_flight);  // not the memory's bandwidth
constexpr auto fastest = mmm::best<mmm::gpu::h200>(mmm::known::sums, mmm::size(1 << 28));
static_assert(fastest.time.limit == mmm::time_limit::global_bandwidth);
static_assert(fastest.time.microseconds < summed.microseconds / 3);
// [/predict]

int main(int count, char** values) {
  // [why]
  auto const own = mmm::candidate_of("sum_wide, 3 blocks of 256", {3, 256}, mmm::sum_wide);
  mmm::candidates const two{own, mmm::candidate_of("sum", {1, 1024}, mmm::sum)};
  std::cout << mmm::report::text(mmm::report::why<mmm::gpu::a100>(two, mmm::size(1 << 20)));
  std::string const picture = mmm::report::why_svg<mmm::gpu::a100>(
      "The sum of 2^20 words on an A100", two, mmm::size(1 << 20));
  // [/why]
  if (count == 2) std::ofstream(std::string(values[1]) + "/prediction_why.svg") << picture;
  return 0;
}
