// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast algorithms are simulated on one core: warp requests per second (w = 32), with costs
// alone or with races, as mmm-explore observes them.
#include <mmm/algorithm/triangulation/matrix_chain_order.hpp>
#include <mmm/mmm.hpp>

#include "figures.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using mmm::index;
using run_time::report;
using run_time::requests_in;
using shared = mmm::dmm<32, 2>;
using global = mmm::umm<32, 400>;
using hierarchy = mmm::hmm<16, 32, 2, 400>;

template <class Machine, class Observe, class Program>
void simulate(benchmark::State& state, Machine const& machine, Observe observe, mmm::threads p,
              index requests, Program program) {
  for (auto _ : state) {
    auto const run = mmm::simulate(machine, p, program, observe);
    if (run.race_count != 0) state.SkipWithError("there are no races here");
    benchmark::DoNotOptimize(run.cost.time);
  }
  report(state, requests);
}

//! A random permutation of 0 … n - 1.
std::vector<std::int32_t> places(index n) {
  std::vector<std::int32_t> to(static_cast<std::size_t>(n));
  std::iota(to.begin(), to.end(), 0);
  std::shuffle(to.begin(), to.end(), std::mt19937_64(1));
  return to;
}

// The schedule is made before. In one memory there are four requests for every w words; on an HMM,
// for the square of a multiple of w, there are 32.
template <class Machine, class Observe>
void permute(benchmark::State& state, Machine const& machine, Observe observe) {
  index const n = state.range(0);
  auto const to = places(n);
  std::vector<float> const a(to.size(), 1.0F);
  std::vector<float> b(to.size());
  mmm::permutation_schedule const schedule(machine, to.begin(), to.end());
  index const rounds = mmm::hierarchical_machine<Machine> ? 32 : 4;
  simulate(state, machine, observe, mmm::threads(1 << 12), rounds * n / 32,
           [&](auto on) { mmm::permutation(on, a.begin(), a.end(), schedule, b.begin()); });
}
template <class Machine, class Observe>
void permute_directly(benchmark::State& state, Machine const& machine, Observe observe) {
  index const n = state.range(0);
  auto const to = places(n);
  std::vector<float> const a(to.size(), 1.0F);
  std::vector<float> b(to.size());
  simulate(state, machine, observe, mmm::threads(1 << 12), 3 * n / 32, [&](auto on) {
    mmm::permutation_direct(on, a.begin(), a.end(), to.begin(), b.begin());
  });
}
//! A benchmark with costs alone and one with races, for each size.
template <class Machine, class Function>
void add(std::string const& name, Machine const& machine, Function function,
         std::vector<index> const& sizes) {
  auto const with = [&](auto observe, char const* what) {
    auto* const b = benchmark::RegisterBenchmark(
        (name + what).c_str(), [=](benchmark::State& state) { function(state, machine, observe); });
    for (index const n : sizes) b->Arg(n);
    b->Unit(benchmark::kMillisecond);
  };
  with(mmm::observe_cost, "/cost");
  with(mmm::observe_races, "/races");
}

//! Simulates an algorithm on an HMM with races.
template <class Program>
void on_hmm(benchmark::State& state, Program const& program) {
  mmm::threads const p(16 * 256);
  index const requests = requests_in(mmm::simulate(hierarchy(), p, program).trace);
  simulate(state, hierarchy(), mmm::observe_races, p, requests, program);
}
void summed_area_1r1w(benchmark::State& state) {
  constexpr index side = 256;
  std::vector<float> a(side * side, 1.0F);
  on_hmm(state, [&](auto on) { mmm::summed_area_1r1w(on, a.begin(), mmm::shape(side, side)); });
}
std::string letters(std::size_t count) {
  std::string text(count, 'a');
  for (std::size_t i = 0; i < count; ++i) text[i] = "acgt"[i * 7 % 13 % 4];
  return text;
}
void string_matching(benchmark::State& state) {
  std::string const x = letters(32), y = letters(2048);
  std::vector<int> distances(y.size());
  on_hmm(state, [&](auto on) {
    return mmm::string_matching(on, x.begin(), x.end(), y.begin(), y.end(), distances.begin());
  });
}
void lcs(benchmark::State& state) {
  std::string const x = letters(32), y = letters(2048);
  on_hmm(state, [&](auto on) { return mmm::lcs(on, x.begin(), x.end(), y.begin(), y.end()); });
}
void matrix_chain(benchmark::State& state) {
  std::vector<double> sides(64);
  for (std::size_t i = 0; i < sides.size(); ++i) sides[i] = static_cast<double>(1 + i * 7 % 13);
  on_hmm(state, [&](auto on) { return mmm::matrix_chain(on, sides.begin(), sides.end()).weight; });
}
BENCHMARK(summed_area_1r1w)->Unit(benchmark::kMillisecond);
BENCHMARK(string_matching)->Unit(benchmark::kMillisecond);
BENCHMARK(lcs)->Unit(benchmark::kMillisecond);
BENCHMARK(matrix_chain)->Unit(benchmark::kMillisecond);

bool const added = [] {
  auto const permutation = [](auto&... x) { permute(x...); };
  auto const direct = [](auto&... x) { permute_directly(x...); };
#if defined(__OPTIMIZE__)
  std::vector<index> const sizes{1 << 13, 1 << 20};
#else  // the tests only run them once
  std::vector<index> const sizes{1 << 13};
#endif
  add("permutation/dmm", shared(), permutation, sizes);
  add("permutation/hmm", hierarchy(), permutation, sizes);
  add("permutation_direct/dmm", shared(), direct, sizes);
  add("permutation_direct/umm", global(), direct, sizes);
  return true;
}();

}  // namespace
