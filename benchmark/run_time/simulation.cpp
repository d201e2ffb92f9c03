// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast the simulation is: warp requests per second (w = 32), data and cost, one core unless the
// name says otherwise.
#include <mmm/execution/simulate/parallel.hpp>
#include <mmm/mmm.hpp>

#include "figures.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <thread>
#include <vector>

namespace {

using mmm::index;
using run_time::report;
using run_time::requests_in;
using shared = mmm::dmm<32, 2>;
using global = mmm::umm<32, 400>;
constexpr index words = index{1} << 22;
constexpr mmm::threads many_threads(1 << 12);

struct add_arrays {
  template <class Threads, class Iterator>
  void operator()(Threads& on, Iterator a, Iterator b, index n) const {
    on.each(n, [=](auto i) { a[i] = a[i] + b[i]; });
  }
};

template <class Machine>
void conflict_free(benchmark::State& state) {
  std::vector<float> a(words, 1.0F);
  std::vector<float> b(words, 2.0F);
  for (auto _ : state) {
    auto const run = mmm::simulate(
        Machine{}, many_threads,
        [&](auto on) {
          add_arrays{}(on, on.array(a.begin(), a.end()), on.array(b.begin(), b.end()), words);
        },
        mmm::observe_cost);
    benchmark::DoNotOptimize(run.cost.time);
  }
  report(state, words / 32 * 3);
}
BENCHMARK_TEMPLATE(conflict_free, shared)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(conflict_free, global)->Unit(benchmark::kMillisecond);

struct gather {
  template <class Threads, class Indices, class Iterator, class Registers>
  void operator()(Threads& on, Indices at, Iterator a, index n, Registers r) const {
    on.each(n, [=](auto i) { r[i] = mmm::load(a[mmm::load(at[i])]); });
  }
};

// Half of the requests are contiguous (the indices), the other half random.
template <class Machine>
void random_addresses(benchmark::State& state) {
  index const range = state.range(0);
  std::mt19937_64 random(1);
  std::vector<int> at(words);
  for (int& x : at) x = static_cast<int>(random() % static_cast<std::uint64_t>(range));
  std::vector<float> a(static_cast<std::size_t>(range), 1.0F);
  for (auto _ : state) {
    auto const run = mmm::simulate(
        Machine{}, many_threads,
        [&](auto on) {
          auto r = on.template registers<float>();
          gather{}(on, on.array(at.begin(), at.end()), on.array(a.begin(), a.end()), words, r);
        },
        mmm::observe_cost);
    benchmark::DoNotOptimize(run.cost.time);
  }
  report(state, words / 32 * 2);
}
BENCHMARK_TEMPLATE(random_addresses, shared)
    ->Arg(1 << 14)
    ->Arg(words)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(random_addresses, global)
    ->Arg(1 << 14)
    ->Arg(words)
    ->Unit(benchmark::kMillisecond);

template <class Observe>
void whole_sum(benchmark::State& state, Observe observe) {
  std::vector<float> a(words, 1.0F);
  for (auto _ : state) {
    auto const run = mmm::simulate(
        global{}, many_threads, [&](auto on) { return mmm::sum(on, a.begin(), a.end()); }, observe);
    benchmark::DoNotOptimize(run.result);
  }
  report(state, words / 32 * 3);
}
void sum_cost(benchmark::State& state) { whole_sum(state, mmm::observe_cost); }
void sum_races(benchmark::State& state) { whole_sum(state, mmm::observe_races); }
BENCHMARK(sum_cost)->Unit(benchmark::kMillisecond);
BENCHMARK(sum_races)->Unit(benchmark::kMillisecond);

void transpose_4096(benchmark::State& state) {
  constexpr index side = 4096;
  std::vector<float> a(side * side, 1.0F);
  for (auto _ : state) {
    auto const run = mmm::simulate(
        shared{}, many_threads, [&](auto on) { mmm::transpose_diagonal(on, a.begin(), side); },
        mmm::observe_cost);
    benchmark::DoNotOptimize(run.cost.time);
  }
  report(state, side * side / 32 * 4);
}
BENCHMARK(transpose_4096)->Unit(benchmark::kMillisecond);

// The accesses of transpose_4096 in the same order, without a machine that they are simulated on:
// what the memory of the host allows.
void plain_transpose_4096(benchmark::State& state) {
  constexpr index side = 4096;
  std::vector<float> a(side * side, 1.0F);
  for (auto _ : state) {
    std::vector<float> c(a);
    std::vector<float> b(c);
    for (index j = 0; j < side; ++j)
      for (index first = 0; first < side; first += 32) {
        float lane[32];
        auto const place = [&](index k) { return static_cast<std::size_t>((j + k) % side); };
        for (index t = 0; t < 32; ++t) {
          auto const k = static_cast<std::size_t>(first + t);
          lane[t] = b[k * side + place(first + t)];
        }
        benchmark::DoNotOptimize(lane);
        for (index t = 0; t < 32; ++t) {
          auto const k = static_cast<std::size_t>(first + t);
          c[place(first + t) * side + k] = lane[t];
        }
      }
    a = c;
  }
  report(state, side * side / 32 * 4);
}
BENCHMARK(plain_transpose_4096)->Unit(benchmark::kMillisecond);

// Simulates the DMMs of an HMM on one core or on all of them; the ratio of the two times is the
// scaling.
template <class Executor>
void hierarchical_sum(benchmark::State& state, Executor const& executor, unsigned cores) {
  using machine = mmm::hmm<16, 32, 2, 400>;
  std::vector<float> a(words, 1.0F);
  for (auto _ : state) {
    auto const run = mmm::simulate(
        machine{}, mmm::threads(16 * 1024),
        [&](auto on) { return mmm::sum(on, a.begin(), a.end()); }, mmm::observe_cost, executor);
    benchmark::DoNotOptimize(run.result);
  }
  report(state, words / 32, cores);
}
void hmm_sum_one_core(benchmark::State& state) { hierarchical_sum(state, mmm::sequential, 1); }
void hmm_sum_all_cores(benchmark::State& state) {
  hierarchical_sum(state, mmm::parallel, std::thread::hardware_concurrency());
}
BENCHMARK(hmm_sum_one_core)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(hmm_sum_all_cores)->Unit(benchmark::kMillisecond)->UseRealTime();

//! Simulates an algorithm on an HMM, on one core.
template <class Program, class Observe>
void on_hmm(benchmark::State& state, mmm::threads p, Program program, Observe observe) {
  using machine = mmm::hmm<16, 32, 2, 400>;
  index const requests = requests_in(mmm::simulate(machine{}, p, program).trace);
  for (auto _ : state) {
    auto const run = mmm::simulate(machine{}, p, program, observe);
    benchmark::DoNotOptimize(run.cost.time);
  }
  report(state, requests);
}

template <class Observe>
void hmm_image_convolution(benchmark::State& state, Observe observe) {
  constexpr index side = 256;
  mmm::radius const v(2);
  std::vector<float> a(side * side, 1.0F);
  std::vector<float> const kernel(static_cast<std::size_t>(v.area()), 1.0F);
  std::vector<float> out(a.size());
  on_hmm(
      state, mmm::threads(16 * 256),
      [&](auto on) {
        mmm::image_convolution(on, a.begin(), mmm::shape(side, side), kernel.begin(), v,
                               out.begin());
      },
      observe);
}
void hmm_image_convolution_cost(benchmark::State& state) {
  hmm_image_convolution(state, mmm::observe_cost);
}
void hmm_image_convolution_races(benchmark::State& state) {
  hmm_image_convolution(state, mmm::observe_races);
}
BENCHMARK(hmm_image_convolution_cost)->Unit(benchmark::kMillisecond);
BENCHMARK(hmm_image_convolution_races)->Unit(benchmark::kMillisecond);

void hmm_matrix_multiply(benchmark::State& state) {
  constexpr index side = 128;
  std::vector<float> const a(side * side, 1.0F);
  std::vector<float> const b(side * side, 1.0F);
  std::vector<float> out(a.size());
  on_hmm(
      state, mmm::threads(16 * 256),
      [&](auto on) {
        mmm::matrix_multiply(on, a.begin(), b.begin(), mmm::product_shape(side, side, side),
                             out.begin(), mmm::tile(32));
      },
      mmm::observe_cost);
}
BENCHMARK(hmm_matrix_multiply)->Unit(benchmark::kMillisecond);

void hmm_triangulation_blocked(benchmark::State& state) {
  constexpr index vertices = 128;
  std::vector<float> const weights(vertices * vertices, 1.0F);
  on_hmm(
      state, mmm::threads(16 * 256),
      [&](auto on) { return mmm::triangulation_blocked(on, weights.begin(), vertices); },
      mmm::observe_cost);
}
BENCHMARK(hmm_triangulation_blocked)->Unit(benchmark::kMillisecond);

}  // namespace
