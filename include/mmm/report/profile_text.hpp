// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/profile.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/table.hpp>

#include <string>

//! Profiles as text: the stages of an algorithm, access by access.
namespace mmm::report {

//! A row for each access: its parallel-for, kind, address, rounds, stages, the ideal
//! number, and its share of all stages.
template <int Max>
[[nodiscard]] table rows_of(profile<Max> const& p) {
  table rows({"step", "items", "access", "address", "rounds", "stages", "ideal", "share, %"});
  for (profile_row const& r : p) {
    std::string access = verb(r.kind);
    if (r.words > 1) access += " of " + std::to_string(r.words) + " words";
    if (r.shared) access += r.peer[0] == '\0' ? ", shared" : ", peer " + std::string(r.peer);
    double const share = p.cost.stages == 0 ? 0.0
                                            : 100 * static_cast<double>(r.stages) /
                                                  static_cast<double>(p.cost.stages);
    std::string const items =
        std::to_string(r.items) + (r.trips == 1 ? "" : " x " + std::to_string(r.trips));
    rows.add({std::to_string(r.step), items, access, r.address, std::to_string(r.rounds),
              std::to_string(r.stages), std::to_string(r.ideal), detail::decimal(share, 1)});
  }
  return rows;
}
template <int Max>
[[nodiscard]] std::string text(profile<Max> const& p) {
  return text(rows_of(p));
}

//! For a page (report/page.hpp).
template <class Page, int Max>
void add_to(Page& to, profile<Max> const& p) {
  to.rows(rows_of(p));
}

}  // namespace mmm::report
