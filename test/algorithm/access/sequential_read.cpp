// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

TEST_CASE("fragmentation counts the gaps") {
  std::vector<int> const with_gaps{0, 1, 2, 7, 6, 6, 8, 0};  // gaps at 2-7, 6-8 and 8-0
  CHECK(mmm::fragmentation(with_gaps.begin(), with_gaps.end()) == 3);
  CHECK(mmm::fragmentation(with_gaps.begin(), with_gaps.begin()) == 0);
  CHECK(mmm::fragmentation(with_gaps.begin(), with_gaps.begin() + 1) == 0);
}

TEST_CASE("sequential access: simulation, cost and the bound of Nakano 2013b, theorem 1") {
  std::mt19937 random(11);
  auto const below = [&](int n) {
    return static_cast<mmm::index>(random() % static_cast<unsigned>(n));
  };
  for (int trial = 0; trial < 60; ++trial) {
    mmm::umm<4, mmm::dynamic> const m(1 + below(9));
    mmm::threads const p(1 + below(40));
    std::vector<mmm::index> a(200);
    std::iota(a.begin(), a.end(), 5);
    std::vector<mmm::index> addresses;
    mmm::index at = below(200);
    mmm::index expected = 0;
    for (mmm::index n = below(150); n > 0; --n) {
      at = below(4) == 0 ? below(200) : (at + below(2)) % 200;
      addresses.push_back(at);
      expected += a[static_cast<std::size_t>(at)];
    }
    auto const run = mmm::simulate(m, p, [&](auto on) {
      return mmm::sequential_read(on, a.begin(), a.end(), addresses.begin(), addresses.end());
    });
    auto const cost = mmm::sequential_cost(m, addresses.begin(), addresses.end(), p);
    CAPTURE(addresses.size(), p.count, m.latency());
    CHECK(run.result == expected);
    CHECK(run.cost.rounds == cost.rounds);
    CHECK(run.cost.stages == cost.stages);
    CHECK(run.cost.time == cost.time);
    CHECK(run.races.empty());
    auto const f = mmm::fragmentation(addresses.begin(), addresses.end());
    CHECK(cost.time <= mmm::sequential_bound(m, static_cast<mmm::index>(addresses.size()), f, p));
  }
}

TEST_CASE("sequential access refuses an address outside the array") {
  std::vector<int> a(10);
  std::vector<int> const addresses{3, 10};
  auto const read = [&](auto on) {
    return mmm::sequential_read(on, a.begin(), a.end(), addresses.begin(), addresses.end());
  };
  using machine = mmm::umm<4, 5>;
  CHECK_THROWS_AS(mmm::simulate<machine>(mmm::threads(4), read), std::out_of_range);
}
