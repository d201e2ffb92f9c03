// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cost/cost.hpp>
#include <mmm/report/drawing.hpp>

#include <string>

namespace mmm::report {

//! A cost in a line: `12 rounds, 753 stages, 2325 time units (closed form)`.
[[nodiscard]] inline std::string text(cost const& c) {
  return detail::counted(c.rounds, "round") + ", " + detail::counted(c.stages, "stage") + ", " +
         detail::counted(c.time, "time unit") +
         (c.closed_form ? " (closed form)" : " (every warp looked at)");
}

//! Adds a cost to a page (report/page.hpp).
template <class Page>
void add_to(Page& to, cost const& c) {
  to.figures({{"time units", std::to_string(c.time)},
              {c.rounds == 1 ? "round" : "rounds", std::to_string(c.rounds)},
              {c.stages == 1 ? "stage" : "stages", std::to_string(c.stages)}});
}

}  // namespace mmm::report
