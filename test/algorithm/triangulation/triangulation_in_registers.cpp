// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/algorithm/triangulation/triangulation_in_registers.hpp>
#include <mmm/choose/fastest.hpp>
#include <mmm/gpu/devices.hpp>

#include "support/polygon_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

template <class Tiles>
constexpr mmm::detail::register_triangulation_algorithm<Tiles> with{};

using small = checks::hmm_of_width<4>;
using gpu = checks::hmm_of_width<32>;
using mmm::unlimited;

}  // namespace

TEST_CASE("triangulations with tiles in registers") {
  using tiles = mmm::polygon_tiles<8, 4, 4, 4>;
  for (auto const& [d, l, global] : checks::combinations({1, 2, 3, 7}, {1, 20}, {1, 90})) {
    small const m(d, l, global, unlimited, 1);
    for (mmm::index const n : {3, 4, 7, 8, 9, 16, 17, 33, 50})
      for (mmm::index const threads_per_dmm : {4, 8})
        checks::triangulate(m, with<tiles>, n, threads_per_dmm * m.dmms());
  }
}

TEST_CASE("triangulations with tiles in registers of many rows of tiles") {
  using tiles = mmm::polygon_tiles<8, 4, 4, 4>;
  for (mmm::index const d : {1, 3, 8})
    for (mmm::index const n : {64, 81, 96})
      checks::triangulate(small(d, 2, 9, unlimited, 2), with<tiles>, n, 4 * d);
}

TEST_CASE("tiles in registers of other shapes") {
  small const m(3, 2, 9, unlimited, 2);
  for (mmm::index const n : {3, 8, 21, 40})
    checks::triangulate(m, with<mmm::polygon_tiles<8, 2, 2, 4, 2>>, n, 8 * m.dmms());
}

TEST_CASE("tiles in registers miss no sum") {
  // The chords that halve the polygon, its halves, … weigh nothing, all others something.
  mmm::index const n = 65;
  std::vector<checks::word> weights(static_cast<std::size_t>(n * n), 1);
  for (mmm::index length = 2; length < n; length *= 2)
    for (mmm::index a = 0; a + length < n; a += length)
      weights[static_cast<std::size_t>(a * n + a + length)] = 0;
  for (mmm::index const d : {1, 3}) {
    auto const found = mmm::simulate(
        small(d, 1, 9, unlimited, 1), mmm::threads(4 * d),
        [&](auto on) { return with<mmm::polygon_tiles<8, 4, 4, 4>>(on, weights.begin(), n); });
    CHECK(found.result.weight == 0);
    CHECK(checks::demand_triangulation(found.result, weights, n) == 0);
  }
}

TEST_CASE("tiles in registers find what tiles in shared memories find") {
  mmm::index const n = 200;
  auto const weights = checks::random_weights<checks::word>(n, 5);
  gpu const m(5, 1, 400, 3 * 64 * 64, 1);
  auto const find = [&](auto const& algorithm) {
    return mmm::simulate(
        m, mmm::threads(5 * 256), [&](auto on) { return algorithm(on, weights.begin(), n); },
        mmm::observe_cost);
  };
  auto const found = find(mmm::triangulation_in_registers);
  auto const by_tiles = find(mmm::triangulation_blocked);
  CHECK(found.result.weight == by_tiles.result.weight);
  CHECK(found.result.chords == by_tiles.result.chords);
  CHECK(found.cost.time < by_tiles.cost.time);
  CHECK(find(mmm::fastest::triangulation).cost == found.cost);
}

TEST_CASE("a triangulation with tiles in registers on a GPU's machine") {
  gpu const m(264, 30, 600, 28672, 19);
  mmm::threads const p(264 * 256);
  auto const c = mmm::cost_of(m, mmm::triangulation_in_registers, mmm::size(2048), p);
  CHECK(c.closed_form);
  CHECK(4 * c.time < mmm::cost_of(m, mmm::triangulation_blocked, mmm::size(2048), p).time);
}

TEST_CASE("the fastest triangulation is by tiles in registers from two tiles on") {
  gpu const m(132, 30, 600, 58112, 19);
  mmm::threads const p(132 * 256);
  constexpr mmm::detail::fastest_triangulation fastest{};
  CHECK(!fastest.in_registers(m, 64, p.count));
  CHECK(fastest.fits(m, p.count));
  CHECK(!fastest.fits(m, p.count - 132));
  CHECK(fastest.typical(3) == 32);
  CHECK(fastest.typical(33) == 64);
  CHECK(fastest.typical(65) == 128);
  CHECK(fastest.typical(100000) == 256);
  for (mmm::index const n : {65, 128, 129, 500}) {
    CHECK(fastest.in_registers(m, n, p.count));
    CHECK(mmm::cost_of(m, mmm::triangulation_in_registers, mmm::size(n), p).time <
          mmm::cost_of(m, mmm::triangulation_blocked, mmm::size(n), p).time);
  }
}

TEST_CASE("what triangulations with tiles in registers refuse") {
  auto const weights = checks::random_weights<checks::word>(10, 1);
  auto const call = [&](mmm::index capacity, mmm::index threads_per_dmm, mmm::index n) {
    static_cast<void>(mmm::simulate(
        gpu(2, 1, 9, capacity, 1), mmm::threads(threads_per_dmm * 2),
        [&](auto on) { return mmm::triangulation_in_registers(on, weights.begin(), n).weight; },
        mmm::observe_cost));
  };
  mmm::index const enough = 3 * 64 * 64;
  CHECK_NOTHROW(call(enough, 256, 10));
  CHECK_THROWS_WITH(call(enough, 255, 10), Catch::Contains("number of threads per DMM is 255") &&
                                               Catch::Contains("as many as the tiles need"));
  CHECK_THROWS_AS(call(enough, 255, 10), std::invalid_argument);
  CHECK_THROWS_AS(call(enough - 1, 256, 10), std::length_error);
  for (mmm::index const n : {0, 1, 2})
    CHECK_THROWS_WITH(call(enough, 256, n), Catch::Contains("number of vertices of a polygon"));
}

TEST_CASE("tiles in registers over the border read no weights that are not there") {
  for (mmm::index const n : {3, 4, 5, 7, 9, 14}) {
    auto const weights = checks::random_weights<checks::word>(n, 7);
    small const m(2, 1, 9, unlimited, 1);
    auto const run = mmm::simulate(m, mmm::threads(8), [&](auto on) {
      return with<mmm::polygon_tiles<8, 4, 4, 4>>(on, weights.begin(), n).weight;
    });
    mmm::index const pitch = (n + 7) / 8 * 8;
    mmm::index read = 0;  // the table begins at 0 and is followed by the weights
    for (mmm::trace_entry const& e : run.trace.entries)
      if (e.space == mmm::memory_space::global)
        read = std::max(read, e.address + 1 - pitch * pitch);
    CAPTURE(n);
    CHECK(read > 0);
    CHECK(read <= n * n);
  }
}

TEST_CASE("the fastest triangulation on any machine") {
  mmm::index const n = 20;
  auto const weights = checks::random_weights<checks::word>(n, 3);
  auto const find = [&](auto const& m, mmm::index p) {
    return mmm::simulate(
               m, mmm::threads(p),
               [&](auto on) { return mmm::fastest::triangulation(on, weights.begin(), n); },
               mmm::observe_cost)
        .result.weight;
  };
  checks::word const least = checks::least_weight(weights, n);
  CHECK(find(mmm::umm<32, 400>(), 64) == least);
  CHECK(find(gpu(2, 1, 9, unlimited, 1), 512) == least);
  CHECK(find(gpu(2, 1, 9, unlimited, 1), 64) == least);
  CHECK(find(mmm::hmm<2, 3, 1, 9>(), 512) == least);
}
