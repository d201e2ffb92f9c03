// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of the library's two race detectors on one stream of accesses, `a[i] += b[i]` by 1024
// threads in 32 warps with a barrier after each 2^20 items; and of a traced kernel with and without
// its detector. docs/how-it-is-built.md has the reasons for two detectors;
// benchmark/device/speed.cpp times the device's.
#include <mmm/execution/simulate/race.hpp>
#include <mmm/mmm.hpp>
#include <mmm/trace/shadow.hpp>
#include <mmm/trace_kernel.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace {

using mmm::index;
constexpr index words = index{1} << 20;
constexpr index threads = 1024;
constexpr index lanes = 32;

// The memory for each word of 4 bytes, as docs/how-it-is-built.md says.
static_assert(sizeof(mmm::detail::short_users) == 8);
static_assert(3 * sizeof(mmm::gpu::detail::access_mark) == 72);

//! The detector of simulations: races between the threads of one step.
class steps {
 public:
  explicit steps(index) {}
  void begin() { detector_.begin_step(step_++, 0, {}); }
  void begin_warp(index first_item) { detector_.begin_warp(first_item, first_item % threads); }
  void access(index first_word, mmm::access_kind kind) {
    detector_.use(
        mmm::memory_space::global, lanes, 1, [=](int t) { return first_word + t; }, true, false,
        [](int) { return true; }, kind, false);
  }
  void end() { detector_.end_step(0, true); }
  [[nodiscard]] index races() { return detector_.count(); }
  static constexpr index of_two_kinds = 2 * lanes;

 private:
  mmm::detail::race_detector<mmm::detail::width_parameter<lanes>> detector_{{}};
  index step_ = 0;
};

//! The detector of traced kernels: accesses without a happens-before order, here in one block.
class orders {
 public:
  explicit orders(index memory_words) : shadow_(4 * memory_words, 4) {}
  void begin() {}
  void begin_warp(index first_item) { thread_ = first_item % threads; }
  void access(index first_word, mmm::access_kind kind) {
    for (index t = 0; t < lanes; ++t) {
      auto const thread = static_cast<std::uint16_t>(thread_ + t);
      mmm::gpu::detail::access_mark const now{0, barriers_, 0, 0, 0, thread, false};
      auto const ordered = [&](mmm::gpu::detail::access_mark const& m) {
        return m.thread == thread || m.barriers < barriers_;
      };
      if (shadow_.note(4 * (first_word + t), 4, kind, now, ordered)) ++races_;
    }
  }
  void end() { ++barriers_; }
  [[nodiscard]] index races() const { return races_; }
  static constexpr index of_two_kinds = lanes;  // a write replaces the reads before it

 private:
  mmm::gpu::detail::shadow shadow_;
  index thread_ = 0;
  std::uint32_t barriers_ = 1;
  index races_ = 0;
};

//! The counters of run_time/simulation.cpp, as Google Benchmark's CSV needs the same ones.
void report(benchmark::State& state, index requests_per_run) {
  auto const requests =
      static_cast<double>(requests_per_run) * static_cast<double>(state.iterations());
  state.counters["requests/s"] = benchmark::Counter(requests, benchmark::Counter::kIsRate);
  state.counters["accesses/s"] = benchmark::Counter(requests * 32, benchmark::Counter::kIsRate);
  state.counters["cores"] = 1;
}

template <class Detector>
void add_arrays(benchmark::State& state) {
  Detector detector(2 * words);
  for (auto _ : state) {
    detector.begin();
    for (index i = 0; i < words; i += lanes) {
      detector.begin_warp(i);
      detector.access(i, mmm::access_kind::read);
      detector.access(words + i, mmm::access_kind::read);
      detector.access(i, mmm::access_kind::write);
    }
    detector.end();
  }
  if (detector.races() != 0) state.SkipWithError("there are no races here");
  report(state, 3 * words / lanes);
}
BENCHMARK_TEMPLATE(add_arrays, steps)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(add_arrays, orders)->Unit(benchmark::kMillisecond);

// In one step, warp 0 reads and writes word t by its lane t, then warp 1 writes it: a write after a
// read and a write after a write, for each of 32 words.
template <class Detector>
void two_kinds(benchmark::State& state) {
  index races = 0;
  for (auto _ : state) {
    Detector detector(lanes);
    detector.begin();
    detector.begin_warp(0);
    detector.access(0, mmm::access_kind::read);
    detector.access(0, mmm::access_kind::write);
    detector.begin_warp(lanes);
    detector.access(0, mmm::access_kind::write);
    detector.end();
    races = detector.races();
  }
  if (races != Detector::of_two_kinds) state.SkipWithError("another number of races");
  report(state, 3);
}
BENCHMARK_TEMPLATE(two_kinds, steps)->Unit(benchmark::kMicrosecond);
BENCHMARK_TEMPLATE(two_kinds, orders)->Unit(benchmark::kMicrosecond);

// The same sums as add_arrays, as a traced kernel of one block.
void traced(benchmark::State& state, bool checks) {
  std::vector<float> a(words / 16, 1.0F);
  std::vector<float> const b(words / 16, 2.0F);
  auto settings = mmm::gpu::trace_settings_of<mmm::gpu::h200>();
  settings.checks = checks;
  index races = 0;
  for (auto _ : state) {
    auto x = mmm::gpu::global(a);
    auto y = mmm::gpu::global(b);
    auto const trace = mmm::gpu::trace_block<mmm::gpu::h200>(
        threads,
        [&](mmm::gpu::thread& t) {
          for (index i = t.x; i < words / 16; i += threads) x[i] = x[i] + y[i];
        },
        settings);
    races = trace.count(mmm::gpu::finding_kind::race);
  }
  if (races != 0) state.SkipWithError("there are no races here");
  report(state, 3 * words / 16 / lanes);
}
void traced_alone(benchmark::State& state) { traced(state, false); }
void traced_with_checks(benchmark::State& state) { traced(state, true); }
BENCHMARK(traced_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(traced_with_checks)->Unit(benchmark::kMillisecond);

}  // namespace
