// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/string_matching.hpp>

#include "support/string_checks.hpp"

#include <stdexcept>

TEST_CASE("edit distances of a pattern in simulations and kernels, within the bounds") {
  for (auto const& [n, m, p] : checks::combinations({0, 1, 7, 50, checks::long_tests() ? 131 : 69},
                                                    {1, 3, 8, 61}, {1, 4, 7, 24}))
    checks::string_runs(m, n, p, [](auto const&... run) {
      checks::string_matching_runs(mmm::string_matching, run...);
    });
}

TEST_CASE("edit distances of other symbols, in other types") {
  std::vector<double> const pattern{1.5, 2, 3}, text{0, 1.5, 3, 3, 1.5, 2, 3};
  std::vector<long> distances(text.size());
  auto const run = mmm::simulate(mmm::umm<4, 5>{}, mmm::threads(4), [&](auto on) {
    return mmm::string_matching(on, pattern.begin(), pattern.end(), text.begin(), text.end(),
                                distances.begin());
  });
  CHECK(distances == std::vector<long>{3, 2, 1, 1, 2, 1, 0});
  CHECK(run.result == 0);
}

TEST_CASE("string matching says what it accepts") {
  std::string const text = "text";
  std::vector<int> distances(4);
  auto const match = [&](auto on) {
    return mmm::string_matching(on, text.begin(), text.begin(), text.begin(), text.end(),
                                distances.begin());
  };
  CHECK_THROWS_WITH(
      mmm::simulate(mmm::dmm<4, 5>{}, mmm::threads(4), match),
      Catch::Contains("the number of symbols of a pattern is 0; accepted: 1 or more"));
  // 12 times the pattern's symbols of shared memory are enough, 6 times are too few
  auto const cost_with = [](auto const& m) {
    return mmm::cost_of(m, mmm::string_matching, mmm::size(1 << 20), mmm::threads(64),
                        mmm::taps(1000));
  };
  CHECK_NOTHROW(cost_with(mmm::hmm<2, 4, 1, 1, 12000>{}));
  CHECK_THROWS_AS(cost_with(mmm::hmm<2, 4, 1, 1, 6000>{}), std::length_error);
}

TEST_CASE("closed forms of string matching for sizes that fill 64 bits") {
  auto const closed = [](auto const& m, mmm::index n, mmm::index k, mmm::index p) {
    CHECK(mmm::cost_of(m, mmm::string_matching, mmm::size(n), mmm::threads(p), mmm::taps(k))
              .closed_form);
  };
  closed(mmm::dmm<32, 8>{}, mmm::index{1} << 40, 1000, 1024);
  closed(mmm::umm<32, 400>{}, mmm::index{1} << 40, 100, 65536);
  closed(mmm::hmm<132, 32, 24, 400>{}, mmm::index{1} << 40, 1 << 12, 132 * 1024);
}
