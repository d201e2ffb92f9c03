// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>

#include "support/polygon_checks.hpp"

#include <algorithm>

using mmm::index;
using mmm::unlimited;
using small = checks::hmm_of_width<4>;

TEST_CASE("triangulations by tiles on an hmm") {
  for (auto const& [d, l, global] : checks::combinations({1, 3}, {1, 200}, {1, 90})) {
    small const m(d, l, global, unlimited, 1);
    for (index const n : {3, 4, 5, 7, 8, 12, 17, 33})
      for (index const threads_per_dmm : {1, 3, 4, 8, 12, 16, 64})
        checks::triangulate(m, mmm::triangulation_blocked, n, threads_per_dmm * m.dmms());
  }
}

TEST_CASE("triangulations by tiles with narrow warps") {
  mmm::hmm<2, 1, 3, 9> const m;
  for (index const n : {3, 4, 5, 9, 12})
    for (index const threads_per_dmm : {1, 3})
      checks::triangulate(m, mmm::triangulation_blocked, n, threads_per_dmm * m.dmms());
}

TEST_CASE("tiles find what rows find, and need three of them in a shared memory") {
  index const n = 70;
  auto const weights = checks::random_weights<double>(n, 5);
  auto const by_rows = mmm::simulate<mmm::umm<32, 400>>(
      mmm::threads(64), [&](auto on) { return mmm::triangulation(on, weights.begin(), n); },
      mmm::observe_cost);
  auto const triangulate = [&](auto on) {
    return mmm::triangulation_blocked(on, weights.begin(), n);
  };
  auto const on_hmm = [&](index capacity) {
    return mmm::simulate(mmm::hmm<2, 32, 1, 400, mmm::dynamic>(capacity), mmm::threads(128),
                         triangulate);
  };
  auto const by_tiles = on_hmm(3 * 32 * 32);
  CHECK(by_tiles.result.weight == by_rows.result.weight);
  CHECK(checks::demand_triangulation(by_tiles.result, weights, n) == by_tiles.result.weight);
  CHECK(by_tiles.races.empty());
  CHECK_THROWS_AS(on_hmm(3 * 32 * 32 - 1), std::length_error);
}

TEST_CASE("tiles over the border read no weights that are not there") {
  for (index const n : {3, 4, 5, 7, 9, 14}) {
    auto const weights = checks::random_weights<checks::word>(n, 7);
    small const m(2, 1, 9, unlimited, 1);
    auto const run = mmm::simulate(m, mmm::threads(16), [&](auto on) {
      return mmm::triangulation_blocked(on, weights.begin(), n).weight;
    });
    index const pitch = (n + 3) / 4 * 4;
    index read = 0;  // the table begins at 0 and is followed by the weights
    for (mmm::trace_entry const& e : run.trace.entries)
      if (e.space == mmm::memory_space::global)
        read = std::max(read, e.address + 1 - pitch * pitch);
    CAPTURE(n);
    CHECK(read > 0);
    CHECK(read <= n * n);
  }
}
