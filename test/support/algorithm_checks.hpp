// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/combinations.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

//! Properties of every algorithm on every machine: estimate, simulation and trace agree; the data
//! is right; there are no races; pipelined <= synchronous time; lower bound <= time <= constant *
//! upper bound (twice that for sizes that do not divide).
namespace checks {

using mmm::index;
using word = std::int64_t;

inline std::vector<word> numbers(index n) {
  std::vector<word> a(static_cast<std::size_t>(n));
  for (index i = 0; i < n; ++i) a[static_cast<std::size_t>(i)] = (i * 7919 + 13) % 1009 - 300;
  return a;
}

template <class M, class Algorithm, class Run>
void exact_figures(M const& m, Algorithm const& algorithm, index n, index p, Run const& run) {
  CAPTURE(algorithm.name, m.width(), n, p);
  auto const estimated = mmm::cost_of(m, algorithm, mmm::size(n), mmm::threads(p));
  CHECK(run.cost.rounds == estimated.rounds);
  CHECK(run.cost.stages == estimated.stages);
  CHECK(run.cost.time == estimated.time);
  CHECK(mmm::recomputed_time(m, run.trace) == estimated.time);
  CHECK(run.races.empty());
  CHECK(run.pipelined_time <= run.cost.time);
  auto const lower = mmm::lower_bound(m, algorithm, mmm::size(n), mmm::threads(p));
  CHECK(lower.time <= run.cost.time);
}

template <class M, class Algorithm, class Run>
void figures(M const& m, Algorithm const& algorithm, index n, index p, Run const& run,
             bool divides) {
  exact_figures(m, algorithm, n, p, run);
  CAPTURE(algorithm.name, m.width(), n, p);
  if constexpr (mmm::hierarchical_machine<M>) {
    if (p / m.dmms() < m.width()) return;  // the papers' bounds need at least one warp per DMM
    divides = divides && p / m.dmms() % m.width() == 0;
  }
  CHECK(run.cost.time <= (divides ? 1 : 2) * mmm::constant_of(m, algorithm) *
                             mmm::upper_bound(m, algorithm, mmm::size(n), mmm::threads(p)));
}

template <class M, class Algorithm>
void fold(M const& m, Algorithm const& algorithm, index n, index p, bool divides) {
  auto const a = numbers(n);
  auto const kept = a;
  auto const run =
      mmm::simulate(m, mmm::threads(p), [&](auto on) { return algorithm(on, a.begin(), a.end()); });
  CHECK(run.result == std::accumulate(a.begin(), a.end(), word{0}));
  CHECK(a == kept);
  figures(m, algorithm, n, p, run, divides);
}

template <class M, class Algorithm>
void transpose(M const& m, Algorithm const& algorithm, index side, index p, bool divides) {
  auto a = numbers(side * side);
  auto const original = a;
  auto const run =
      mmm::simulate(m, mmm::threads(p), [&](auto on) { algorithm(on, a.begin(), side); });
  bool transposed = true;
  for (index j = 0; j < side; ++j)
    for (index k = 0; k < side; ++k)
      transposed = transposed && a[static_cast<std::size_t>(j * side + k)] ==
                                     original[static_cast<std::size_t>(k * side + j)];
  CHECK(transposed);
  figures(m, algorithm, side, p, run, divides);
}

//! Calls `check` with sizes and numbers of threads, some of which do not divide.
template <class Check>
void sweep_sizes(Check check) {
  index place = 0;
  for (index const n : {0, 1, 2, 3, 5, 17, 64, 100, 256, 1000, 4096})
    for (index const p : {4, 8, 12, 20, 64})
      if (n < 1000 || takes(place++)) check(n, p, n % p == 0 && p % 4 == 0 && n >= p);
}
template <class Check>
void sweep_sides(Check check) {
  for (index const side : {0, 1, 2, 5, 8, 12, 16, 31, 33, 48})
    for (index const p : {4, 8, 12, 20, 64})
      check(side, p, (side * side) % p == 0 && p % 4 == 0 && side % 4 == 0 && side > 0);
}

}  // namespace checks
