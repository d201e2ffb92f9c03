// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/execution/simulate.hpp>
#include <mmm/report/trace_rounds.hpp>

#include "measurement.hpp"

namespace tour {

//! Runs `algorithm` for `size` with `p` threads on `machine`: `program(on)` returns its result, `right(result)` judges it.
template <mmm::machine M, class Algorithm, class Program, class Right>
[[nodiscard]] measurement measure(M const& machine, Algorithm const& algorithm, index size, index p, Program program,
                                  Right right) {
  auto const run = mmm::simulate(machine, mmm::threads(p), program, mmm::observe_races);
  mmm::cost const predicted = mmm::cost_of(machine, algorithm, mmm::size(size), mmm::threads(p));
  bool const agrees =
      predicted.rounds == run.cost.rounds && predicted.stages == run.cost.stages && predicted.time == run.cost.time;
  return {algorithm.name,
          mmm::report::text(machine),
          p,
          run.cost,
          run.pipelined_time,
          mmm::lower_bound(machine, algorithm, mmm::size(size), mmm::threads(p)),
          right(run.result) && run.race_count == 0 && agrees};
}

}  // namespace tour
