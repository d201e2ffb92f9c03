// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/race.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/table.hpp>
#include <mmm/report/trace_rounds.hpp>

#include <string>

//! Traces and races as text.
namespace mmm::report {

//! A row for each of the first rounds and each memory that it uses.
template <machine M>
[[nodiscard]] table rows_of(trace const& t, M const& m, extent const& shown = {}) {
  auto const rounds = detail::rounds_of(m, t, shown.rounds);
  table result({"round", "from", "memory", "op", "accesses", "stages", "time"});
  for (auto const& round : rounds) {
    for (std::size_t k = 0; k < round.parts.size(); ++k) {
      auto const& part = round.parts[k];
      std::string name = name_of(part.space);
      if (hierarchical_machine<M> && part.space != memory_space::global)
        name += " " + std::to_string(part.dmm);
      char const* const op = part.mixed ? "both" : verb(part.kind);
      result.add({k == 0 ? std::to_string(round.number) : "",
                  k == 0 ? std::to_string(round.begin) : "", name, op,
                  std::to_string(part.accesses), std::to_string(part.stages.size()),
                  std::to_string(part.time)});
    }
  }
  return result;
}

//! A table of the first rounds of a trace: when each begins, in which memory it is, its accesses,
//! stages and time, and below it the sum. If not all rounds are shown it says so. Time: O(accesses
//! of the shown rounds * w).
template <machine M>
[[nodiscard]] std::string text(trace const& t, M const& m, extent const& shown = {}) {
  auto const rounds = detail::rounds_of(m, t, shown.rounds);
  index const all = detail::count_rounds(t);
  index const end = rounds.empty() ? 0 : rounds.back().begin + rounds.back().time;
  std::string const extent =
      static_cast<index>(rounds.size()) < all
          ? "the first " + std::to_string(rounds.size()) + " of " + std::to_string(all) + " rounds"
          : "all " + std::to_string(all) + " rounds";
  return text(rows_of(t, m, shown)) + detail::machine_text(m) + ": " + extent + ", " +
         std::to_string(end) + " time units\n";
}

namespace detail {

//! The number of a step and its line, if that is known.
[[nodiscard]] inline std::string step_text(index step, source_line const& place) {
  return std::to_string(step) + (place.line == 0 ? std::string()
                                                 : " (" + std::string(place.file_name()) + ":" +
                                                       std::to_string(place.line) + ")");
}
//! The steps of a race, the first item's first.
[[nodiscard]] inline std::string steps_text(race const& r) {
  if (r.first_step == r.step && r.first_place == r.place)
    return "step " + step_text(r.step, r.place);
  return "steps " + step_text(r.first_step, r.first_place) + " and " + step_text(r.step, r.place);
}

}  // namespace detail

//! One race in a sentence, with the steps' numbers in a profile and their lines.
[[nodiscard]] inline std::string text(race const& r) {
  return detail::steps_text(r) + ": items " + std::to_string(r.first_item) + " and " +
         std::to_string(r.second_item) +
         (r.kind == race_kind::write_write ? " both write word " : " read and write word ") +
         std::to_string(r.address) +
         (r.space == memory_space::shared ? " of shared memory" : " of global memory");
}

//! The text of the trace of a simulation, which knows its machine.
template <machine M>
[[nodiscard]] std::string text(machine_trace<M> const& t, extent const& shown = {}) {
  return text(t, t.machine, shown);
}

}  // namespace mmm::report
