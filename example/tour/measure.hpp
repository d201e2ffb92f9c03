// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/report/trace_rounds.hpp>

#include "measurement.hpp"

namespace tour {

//! Runs `algorithm` with `p` threads on `machine`: `program(on)` returns its result,
//! `right(result)` checks it. `problem` is the table's description of the problem; `size` and
//! `more` are the parameters of the closed form and of the bounds.
template <mmm::machine M, class Algorithm, class Program, class Right, class Size, class... More>
[[nodiscard]] measurement measure(M const& machine, Algorithm const& algorithm,
                                  std::string const& problem, index p, Program program, Right right,
                                  Size const& size, More const&... more) {
  auto const run = mmm::simulate(machine, mmm::threads(p), program, mmm::observe_races);
  mmm::cost const predicted = mmm::cost_of(machine, algorithm, size, mmm::threads(p), more...);
  bool const agrees = predicted.rounds == run.cost.rounds && predicted.stages == run.cost.stages &&
                      predicted.time == run.cost.time;
  return {algorithm.name,
          mmm::report::text(machine),
          problem,
          p,
          run.cost,
          run.pipelined_time,
          mmm::lower_bound(machine, algorithm, size, mmm::threads(p), more...),
          right(run.result) && run.race_count == 0 && agrees};
}

}  // namespace tour
