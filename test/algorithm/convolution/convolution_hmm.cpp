// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/convolution_checks.hpp"

#include <stdexcept>

namespace {

void convolutions() {
  for (mmm::index const d : {1, 3, 4})
    for (mmm::index const m : {1, 2, 3, 7, 8})
      for (mmm::index const n : {0, 1, 2, 5, 16, 33, 64})
        for (mmm::index const own : {1, 3, 4, 20, 64, 512}) {
          mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const machine(d, own % 3 + 1,
                                                                              5 * m);
          checks::convolution(machine, mmm::convolution, m, n, own * d);
          checks::convolution(machine, mmm::convolution_in_memory, m, n, own * d);
        }
}

}  // namespace

TEST_CASE("convolutions on an hmm") { convolutions(); }

TEST_CASE("a convolution on a hmm needs shared memory for its taps, words and outputs") {
  // m = 3 taps and 6 outputs per DMM: arrays of 3, 8 and 6 words, each rounded up to a multiple of
  // 4; with 12 threads, 2 groups of 8.
  std::vector<int> const x = {1, 2, 3};
  std::vector<int> const y(14, 1);
  std::vector<int> z(12, -1);
  auto const run = [&](mmm::index capacity, mmm::index p) {
    mmm::hmm<2, 4, 1, 5, mmm::dynamic> const machine(capacity);
    mmm::simulate(machine, mmm::threads(p), [&](auto on) {
      mmm::convolution(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
    });
    return mmm::cost_of(machine, mmm::convolution, mmm::size(12), mmm::threads(p), mmm::taps(3));
  };
  CHECK_THROWS_AS(run(17, 8), std::length_error);
  CHECK(z == std::vector<int>(12, -1));
  CHECK(run(18, 8).closed_form);
  CHECK(z == std::vector<int>(12, 6));
  CHECK_THROWS_AS(run(35, 32), std::length_error);
  CHECK(run(36, 32).closed_form);
}
