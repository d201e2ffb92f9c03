// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/simulate/trace.hpp>

#include <benchmark/benchmark.h>

//! The figures that benchmarks of simulations report.
namespace run_time {

using mmm::index;

//! The same counters for all benchmarks, as Google Benchmark's CSV needs them.
inline void report(benchmark::State& state, index requests_per_run, unsigned cores = 1) {
  auto const requests =
      static_cast<double>(requests_per_run) * static_cast<double>(state.iterations());
  state.counters["requests/s"] = benchmark::Counter(requests, benchmark::Counter::kIsRate);
  state.counters["accesses/s"] = benchmark::Counter(requests * 32, benchmark::Counter::kIsRate);
  state.counters["cores"] = cores;
}

//! Requests of a program: the groups of accesses in its trace that a warp makes at once. Wide
//! accesses count once.
inline index requests_in(mmm::trace const& t) {
  index count = 0;
  mmm::trace_entry const* last = nullptr;
  for (mmm::trace_entry const& e : t.entries) {
    count += last == nullptr || last->round != e.round || last->dmm != e.dmm ||
                     last->thread / 32 != e.thread / 32
                 ? 1
                 : 0;
    last = &e;
  }
  return count;
}

}  // namespace run_time
