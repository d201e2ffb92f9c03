// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/triangulation.hpp>

#include "support/polygon_checks.hpp"

#include <limits>
#include <string>

namespace {

using mmm::index;
using namespace checks;

template <class Check>
void sweep_polygons(Check check) {
  for (index const n : {3, 4, 5, 6, 7, 12, 16, 25, 40})
    for (index const p : {1, 3, 4, 20, 32, 100, 1000}) check(n, p);
}

template <class Value, class Algorithm>
void compare_with_all(Algorithm const& algorithm, index n, std::uint64_t seed) {
  CAPTURE(n, seed);
  auto const weights = random_weights<Value>(n, seed);
  auto const found = mmm::simulate<mmm::umm<4, 5>>(
      mmm::threads(12), [&](auto on) { return algorithm(on, weights.begin(), n); },
      mmm::observe_cost);
  auto const all = all_weights(weights, n, 0, n - 1);
  // multiples of 1/8 are exact
  CHECK(found.result.weight == *std::min_element(all.begin(), all.end()));
  CHECK(demand_triangulation(found.result, weights, n) == found.result.weight);
}

}  // namespace

TEST_CASE("triangulations on a umm") {
  mmm::umm<4, mmm::dynamic, mmm::dynamic> const m(GENERATE(1, 5), GENERATE(1, 3));
  sweep_polygons([&](index n, index p) {
    triangulate(m, mmm::triangulation, n, p);
    triangulate(m, mmm::triangulation_dp, n, p);
    triangulate(m, mmm::triangulation_dp_in_memory, n, p);
  });
}

TEST_CASE("triangulations on a umm with wide warps, and without") {
  index const latency = GENERATE(1, 5);
  sweep_polygons([&](index n, index p) {
    triangulate(mmm::umm<32, mmm::dynamic>(latency), mmm::triangulation, n, p);
    triangulate(mmm::umm<32, mmm::dynamic>(latency), mmm::triangulation_dp, n, p);
    triangulate(mmm::umm<1, mmm::dynamic>(latency), mmm::triangulation, n, p);
  });
}

TEST_CASE("triangulations on a pram") {
  sweep_polygons([&](index n, index p) {
    triangulate(mmm::pram{}, mmm::triangulation_dp, n, p);
    triangulate(mmm::pram{}, mmm::triangulation_dp_in_memory, n, p);
  });
}

TEST_CASE("triangulations are the best of all triangulations") {
  for (index n = 3; n <= 10; ++n)
    for (std::uint64_t const seed : {1U, 2U, 3U}) {
      compare_with_all<word>(mmm::triangulation, n, seed);
      compare_with_all<double>(mmm::triangulation, n, seed);
      compare_with_all<double>(mmm::triangulation_dp, n, seed);
      compare_with_all<std::int32_t>(mmm::triangulation_dp_in_memory, n, seed);
    }
}

TEST_CASE("the polygon of the paper's figure 4, with edges and the last chord weighing something") {
  // All chords weigh 9 except for a zigzag of five chords.
  index const n = 8;
  std::vector<float> weights(64, 9);
  for (auto const& [i, j] : {std::pair{1, 7}, {1, 6}, {2, 6}, {2, 5}, {3, 5}})
    weights[static_cast<std::size_t>(i * n + j)] = 1;
  auto const run = mmm::simulate<mmm::umm<4, 5>>(
      mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), n); });
  CHECK(run.result.weight == 5);
  CHECK(run.result.chords == std::vector<mmm::chord>{{1, 7}, {1, 6}, {2, 6}, {2, 5}, {3, 5}});
}

TEST_CASE("the largest weights do not overflow") {
  // Sums of at most three chords reach the largest int32_t.
  std::int32_t const most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> weights(36, most / 3);
  auto const run = mmm::simulate<mmm::umm<4, 5>>(
      mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), 6); },
      mmm::observe_cost);
  CHECK(run.result.weight == most / 3 * 3);
}

TEST_CASE("triangulations refuse what is no polygon") {
  using machine = mmm::umm<4, 5>;
  auto const triangulate = [](std::vector<double> const& weights, index n) {
    return mmm::simulate<machine>(
        mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), n); },
        mmm::observe_cost);
  };
  std::vector<double> weights(25, 1);
  for (index const n : {-1, 0, 2}) {
    CHECK_THROWS_AS(triangulate(weights, n), std::invalid_argument);
    CHECK_THROWS_AS(
        mmm::upper_bound<machine>(mmm::triangulation_dp, mmm::size(n < 0 ? 0 : n), mmm::threads(8)),
        std::invalid_argument);
    CHECK_THROWS_AS(
        mmm::lower_bound<machine>(mmm::triangulation, mmm::size(n < 0 ? 0 : n), mmm::threads(8)),
        std::invalid_argument);
    CHECK_THROWS_AS(
        mmm::cost_of<machine>(mmm::triangulation, mmm::size(n < 0 ? 0 : n), mmm::threads(8)),
        std::invalid_argument);
  }
  // (0, 4) and (1, 2) are edges, whose weights do not matter
  weights[4] = weights[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK(triangulate(weights, 5).result.weight == 2);
  for (double const bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    weights[1 * 5 + 4] = bad;
    try {
      triangulate(weights, 5);
      CHECK(false);
    } catch (std::invalid_argument const& e) {
      CHECK(std::string(e.what()).find("chord (1, 4)") != std::string::npos);
    }
  }
}

TEST_CASE("table I of Nakano 2013b is what the loops do") {
  using mmm::table_access;
  for (index n = 3; n <= 24; ++n) {
    std::vector<word> const weights(static_cast<std::size_t>(n * n), 1);
    auto const run = mmm::simulate<mmm::umm<4, 5>>(
        mmm::threads(n * n), [&](auto on) { return mmm::triangulation(on, weights.begin(), n); });
    std::vector<std::vector<index>> rounds;  // for each round the addresses, thread by thread
    for (mmm::trace_entry const& e : run.trace.entries) {
      if (e.round >= static_cast<index>(rounds.size())) rounds.emplace_back();
      rounds.back().push_back(e.address);
    }
    REQUIRE(static_cast<index>(rounds.size()) == 3 + 12 * (n - 2));
    auto const agrees = [&](index round, table_access which, index r) {
      auto const& addresses = rounds[static_cast<std::size_t>(round)];
      CAPTURE(n, r, round);
      CHECK(mmm::loop_of_table(which, n, r) ==
            mmm::access_shape{static_cast<index>(addresses.size()),
                              mmm::fragmentation(addresses.begin(), addresses.end())});
    };
    agrees(0, table_access::a_entries, 1);
    agrees(1, table_access::b_diagonal, 1);
    agrees(2, table_access::c_copy, 1);
    for (index r = 1; r <= n - 2; ++r) {
      index const first = 3 + 12 * (r - 1);
      // Loop C copies the diagonal that loops B and F of the previous stage wrote.
      agrees(r == 1 ? 1 : first - 2, table_access::c_diagonal, r);
      agrees(first - 1, table_access::c_copy, r);
      agrees(first, table_access::d_entries, r);
      agrees(first + 1, table_access::d_diagonal, r);
      agrees(first + 2, table_access::d_below, r);
      agrees(first + 3, table_access::d_entries, r);
      agrees(first + 4, table_access::e_entries, r);
      agrees(first + 5, table_access::e_before, r);
      agrees(first + 6, table_access::e_copy, r);
      agrees(first + 7, table_access::e_entries, r);
      agrees(first + 8, table_access::f_diagonal, r);
      agrees(first + 9, table_access::f_weights, r);
    }
  }
}
