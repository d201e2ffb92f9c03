// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/execution/simulate/simulate.hpp>

#include "catch.hpp"

#include <cstdint>
#include <vector>

//! Properties of the direct convolution on every machine (see algorithm_checks.hpp).
namespace checks {

using mmm::index;
using word = std::int64_t;

//! `count` numbers that vary from place to place.
inline std::vector<word> words_to_convolve(index count, index factor) {
  std::vector<word> a;
  for (index i = 0; i < count; ++i) a.push_back((i * factor + 13) % 1009 - 300);
  return a;
}

template <class T>
std::vector<T> plainly_convolved(std::vector<T> const& x, std::vector<T> const& y, index n) {
  std::vector<T> z;
  for (auto first = y.begin(); static_cast<index>(z.size()) < n; ++first) {
    T sum = x[0] * first[0];
    for (std::size_t j = 1; j < x.size(); ++j)
      sum = sum + x[j] * first[static_cast<std::ptrdiff_t>(j)];
    z.push_back(sum);
  }
  return z;
}

//! True if m taps and n outputs divide evenly among the p threads of a memory of width w.
inline bool even(index m, index n, index p, index w) {
  if (n == 0 || n % w != 0 || p % w != 0) return false;
  if (p <= n) return n % p == 0;
  return p % n == 0 && (p / n >= m || m % (p / n) == 0);
}

template <class M, class Algorithm>
void convolution(M const& machine, Algorithm const& algorithm, index m, index n, index p) {
  CAPTURE(algorithm.name, M::width(), m, n, p);
  auto const x = words_to_convolve(m, 7919);
  auto const y = words_to_convolve(n + m - 1, 7907);
  std::vector<word> z(static_cast<std::size_t>(n));
  auto const run = mmm::simulate(machine, mmm::threads(p), [&](auto on) {
    algorithm(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
  });
  auto const estimated =
      mmm::cost_of(machine, algorithm, mmm::size(n), mmm::threads(p), mmm::taps(m));
  CHECK(z == plainly_convolved(x, y, n));
  CHECK(run.cost.rounds == estimated.rounds);
  CHECK(run.cost.stages == estimated.stages);
  CHECK(run.cost.time == estimated.time);
  CHECK(estimated.closed_form);
  CHECK(mmm::recomputed_time(machine, run.trace) == estimated.time);
  CHECK(run.race_count == 0);
  CHECK(run.pipelined_time <= run.cost.time);
  CHECK(mmm::lower_bound(machine, algorithm, mmm::size(n), mmm::threads(p), mmm::taps(m)).time <=
        run.cost.time);
  bool divides = even(m, n, p, M::width());
  if constexpr (mmm::hierarchical_machine<M>)
    divides =
        n % machine.dmms() == 0 && even(m, n / machine.dmms(), p / machine.dmms(), M::width());
  CHECK(run.cost.time <=
        (divides ? 1 : 2) * mmm::constant_of(machine, algorithm) *
            mmm::upper_bound(machine, algorithm, mmm::size(n), mmm::threads(p), mmm::taps(m)));
}

//! Calls `check` with taps, outputs, and numbers of threads below, at and above n and mn.
template <class M>
void convolutions(M const& machine) {
  for (index const m : {1, 2, 3, 7, 8})
    for (index const n : {0, 1, 2, 5, 16, 33, 64})
      for (index const p : {index{1}, index{3}, index{4}, index{20}, index{64}, index{1000}, n,
                            2 * n, m * n - 1, m * n}) {
        if (p < 1) continue;
        convolution(machine, mmm::convolution, m, n, p);
        convolution(machine, mmm::convolution_in_memory, m, n, p);
      }
}

}  // namespace checks
