// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/algorithm_checks.hpp"

//! The checks of checks::figures, for problems with a shape and more parameters than a size.
namespace checks {

//! Properties that hold for any data: estimate, simulation and trace agree; there are no races;
//! pipelined <= synchronous time; lower bound <= time <= factor * upper bound (factor 0: not
//! checked).
template <class M, class Algorithm, class Shape, class Run, class... More>
void problem_figures(M const& m, Algorithm const& algorithm, Shape const& shape, index p,
                     Run const& run, index factor, More const&... more) {
  auto const estimated = mmm::cost_of(m, algorithm, shape, mmm::threads(p), more...);
  CHECK(estimated.closed_form);
  CHECK(run.cost.rounds == estimated.rounds);
  CHECK(run.cost.stages == estimated.stages);
  CHECK(run.cost.time == estimated.time);
  CHECK(mmm::recomputed_time(m, run.trace) == estimated.time);
  CHECK(run.races.empty());
  CHECK(run.pipelined_time <= run.cost.time);
  CHECK(mmm::lower_bound(m, algorithm, shape, mmm::threads(p), more...).time <= run.cost.time);
  if (factor > 0)
    CHECK(run.cost.time <=
          factor * mmm::upper_bound(m, algorithm, shape, mmm::threads(p), more...));
}

}  // namespace checks
