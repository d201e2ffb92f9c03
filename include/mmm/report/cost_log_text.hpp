// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/cost_log.hpp>
#include <mmm/report/table.hpp>

#include <string>

//! The costs of a series of calls as a table.
namespace mmm::report {

//! A row per call, in their order, and a row of the sums.
[[nodiscard]] inline table calls(cost_log const& log) {
  table rows({"call", "items", "rounds", "stages", "time", "pipelined", "races"});
  auto const add = [&](char const* call, std::string const& items, cost const& c, index pipelined,
                       index races) {
    rows.add({call, items, std::to_string(c.rounds), std::to_string(c.stages),
              std::to_string(c.time), std::to_string(pipelined), std::to_string(races)});
  };
  for (call_cost const& c : log.calls)
    add(c.call, std::to_string(c.items), c.cost, c.pipelined_time, c.race_count);
  add("all", "", log.total(), log.pipelined_time(), log.race_count());
  return rows;
}

//! The costs of a series of calls as text.
[[nodiscard]] inline std::string text(cost_log const& log) { return text(calls(log)); }

}  // namespace mmm::report
