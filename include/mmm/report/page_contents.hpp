// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/race.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/gpu_request.hpp>
#include <mmm/report/page.hpp>
#include <mmm/report/request.hpp>
#include <mmm/report/request_svg.hpp>
#include <mmm/report/trace_svg.hpp>
#include <mmm/report/trace_text.hpp>

#include <cstddef>
#include <string>

//! Requests, traces and simulations in a page.
namespace mmm {
template <class Result, machine M>
struct simulation;  // its header is included wherever there is one
}  // namespace mmm
namespace mmm::report {

inline void add_to(page& to, explanation const& why) {
  to.heading(why.title).paragraph(why.summary);
  if (!why.phases.rows().empty()) to.rows(why.phases);
  to.paragraph(why.reason).picture(why.svg);
}
inline void add_to(page& to, request const& r) { to.paragraph(caption(r)).picture(svg(r)); }
inline void add_to(page& to, race const& r) { to.paragraph("Race: " + text(r), true); }
//! The picture of the first rounds, and their table.
template <machine M>
void add_to(page& to, machine_trace<M> const& t) {
  to.picture(svg(t)).rows(rows_of(t, t.machine));
}
//! The figures, races and trace that were observed.
template <class Result, machine M>
void add_to(page& to, simulation<Result, M> const& run) {
  to.figures({{"time units", std::to_string(run.cost.time)},
              {"time units, pipelined", std::to_string(run.pipelined_time)},
              {"rounds", std::to_string(run.cost.rounds)},
              {"stages", std::to_string(run.cost.stages)},
              {"races", std::to_string(run.race_count)}});
  constexpr std::size_t max_races = 10;
  for (std::size_t k = 0; k < run.races.size() && k < max_races; ++k) add_to(to, run.races[k]);
  if (run.races.size() > max_races)
    to.paragraph("and " + detail::counted(run.race_count - index{max_races}, "further race"), true);
  if (!run.trace.entries.empty()) add_to(to, run.trace);
}

}  // namespace mmm::report
