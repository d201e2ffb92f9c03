// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon.hpp>

#include "support/algorithm_checks.hpp"

#include <random>

//! Polygons to triangulate, and the requirements on a triangulation.
namespace checks {

//! One type of HMMs of each width, so that each algorithm is compiled for it once: the number of
//! DMMs, the latencies of the shared memories and of the global memory, the capacity, the parts.
template <index W>
using hmm_of_width =
    mmm::hmm<mmm::dynamic, W, mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>;

template <class Value>
std::vector<Value> random_weights(index n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Value> weights(static_cast<std::size_t>(n * n));
  for (Value& w : weights) w = static_cast<Value>(random() % 2000) / 8 - 60;
  return weights;
}

template <class Value>
Value weight_of(std::vector<Value> const& weights, index n, index i, index j) {
  return j - i < 2 || j - i == n - 1 ? Value{} : weights[static_cast<std::size_t>(i * n + j)];
}

//! The weights of all triangulations of the part between vertices i and j, by enumeration.
template <class Value>
std::vector<Value> all_weights(std::vector<Value> const& weights, index n, index i, index j) {
  if (j - i < 2) return {Value{}};
  std::vector<Value> all;
  for (index k = i + 1; k < j; ++k)
    for (Value const left : all_weights(weights, n, i, k))
      for (Value const right : all_weights(weights, n, k, j))
        all.push_back(left + right + weight_of(weights, n, i, j));
  return all;
}

//! The least weight, by dynamic programming over pairs of vertices.
inline word least_weight(std::vector<word> const& weights, index n) {
  std::vector<word> table(static_cast<std::size_t>(n * n));
  auto const at = [&](index i, index j) -> word& {
    return table[static_cast<std::size_t>(i * n + j)];
  };
  for (index apart = 2; apart < n; ++apart)
    for (index i = 0; i + apart < n; ++i) {
      index const j = i + apart;
      word least = INT64_MAX;
      for (index k = i + 1; k < j; ++k) least = std::min(least, at(i, k) + at(k, j));
      at(i, j) = least + weight_of(weights, n, i, j);
    }
  return at(0, n - 1);
}

template <class Value>
Value demand_triangulation(mmm::polygon_triangulation<Value> const& found,
                           std::vector<Value> const& weights, index n) {
  CHECK(static_cast<index>(found.chords.size()) == n - 3);
  Value sum{};
  bool chords = true;
  for (mmm::chord const& a : found.chords) {
    chords =
        chords && 0 <= a.first && a.first + 2 <= a.last && a.last < n && a.last - a.first < n - 1;
    sum += weight_of(weights, n, a.first, a.last);
    for (mmm::chord const& b : found.chords) {
      bool const cross = a.first < b.first && b.first < a.last && a.last < b.last;
      chords = chords && !cross && (&a == &b || !(a == b));
    }
  }
  CHECK(chords);
  return sum;
}

template <class M, class Algorithm>
void triangulate(M const& m, Algorithm const& algorithm, index n, index p) {
  auto const weights = random_weights<word>(n, static_cast<std::uint64_t>(n));
  auto const kept = weights;
  auto const run =
      mmm::simulate(m, mmm::threads(p), [&](auto on) { return algorithm(on, weights.begin(), n); });
  CHECK(run.result.weight == least_weight(weights, n));
  CHECK(demand_triangulation(run.result, weights, n) == run.result.weight);
  CHECK(weights == kept);
  figures(m, algorithm, n, p, run, true);  // sizes need not divide for these bounds
  bool closes = true;
  if constexpr (mmm::hierarchical_machine<M>) closes = p / m.dmms() % M::width() == 0;
  CHECK((mmm::cost_of(m, algorithm, mmm::size(n), mmm::threads(p)).closed_form || !closes));
}

}  // namespace checks
