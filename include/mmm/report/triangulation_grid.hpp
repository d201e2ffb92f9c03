// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/access_kind.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/grid_picture.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! The table M of a triangulation (Nakano 2013b), with the entries that a run reads and writes:
//! figures 8 to 12 of that paper, drawn from traces.
namespace mmm::report {

//! A triangulation of n vertices with a thread for every entry: its table, row-major with n words
//! in a row, and its accesses. In the trace, the table begins at address 0.
struct traced_triangulation {
  index n = 0;
  std::vector<index> table{};
  trace accesses{};

  [[nodiscard]] index entry(index i, index j) const {
    return table[static_cast<std::size_t>(i * n + j)];
  }
};

namespace detail {

//! Runs `program(on, table, weights, n, infinity)` on a UMM.
template <class Program>
[[nodiscard]] traced_triangulation traced(std::vector<index> const& weights, index n,
                                          Program const& program) {
  if (n < 3) mmm::detail::reject("the number of vertices of a polygon", n, "3 or more");
  if (static_cast<index>(weights.size()) != n * n)
    mmm::detail::reject("the number of weights", static_cast<index>(weights.size()), "n * n");
  traced_triangulation found{n, std::vector<index>(weights.size()), {}};
  auto run = simulate<umm<4, 5>>(threads(n * n), [&](auto on) {
    mmm::run(on, program, writes(found.table.begin(), n * n), reads(weights.begin(), n * n), n,
             mmm::detail::infinity_of<index>() / 2);
  });
  found.accesses = std::move(run.trace);
  return found;
}

struct traced_umm_program {
  template <class On, class Table, class Weights>
  void operator()(On& on, Table m, Weights c, index n, index infinity) const {
    umm_triangulation{}(on, m, c, on.template allocate<index>(n), n, infinity);
  }
};

//! An empty table: the entries M[i][j] with 1 <= i <= j < n, with their numbers.
[[nodiscard]] inline grid_panel table_panel(index n, std::string caption) {
  grid_panel panel{std::move(caption), {}, {}, {}};
  for (index k = 1; k < n; ++k) {
    panel.columns.push_back(std::to_string(k));
    panel.rows.push_back("i = " + std::to_string(k));
  }
  panel.cells.resize(static_cast<std::size_t>((n - 1) * (n - 1)));
  for (index i = 1; i < n; ++i)
    for (index j = 1; j < i; ++j)
      panel.cells[static_cast<std::size_t>((i - 1) * (n - 1) + j - 1)].absent = true;
  return panel;
}
[[nodiscard]] inline grid_cell& cell_of(grid_panel& panel, index n, index address) {
  index const i = address / n;
  index const j = address % n;
  return panel.cells[static_cast<std::size_t>((i - 1) * (n - 1) + j - 1)];
}

//! Colours of entries: read as X, as Y, written.
inline constexpr index tint_x = 0;
inline constexpr index tint_y = 2;
inline constexpr index tint_written = 1;

inline constexpr char const* table_legend =
    "A cell is the entry of row i and column j of the table M. ";

//! The first round of stage r of UMM-OPT with a thread for every entry: 3 rounds before the stages,
//! 12 in each.
[[nodiscard]] inline index umm_stage(index r) { return 3 + 12 * (r - 1); }
//! The first round of stage r of DP-OPT: a round before the stages, two for each of the r sums, and
//! two more.
[[nodiscard]] inline index dp_stage(index r) { return 1 + (r - 1) * (r + 2); }

//! The entry of the diagonal r - 1 whose copy in b a run of UMM-OPT accesses at an address. The
//! first word that the third round stores is b[1]; b[k] is M[k][k + r - 1] in stage r.
[[nodiscard]] inline index copied_entry(traced_triangulation const& umm, index address, index r) {
  auto first = umm.accesses.entries.begin();
  while (first->round < 2) ++first;
  index const k = address - first->address + 1;
  return k * umm.n + k + r - 1;
}

inline void reject_stage(index r, index n) {
  if (r < 1 || r > n - 2) mmm::detail::reject("the stage of a triangulation", r, "1 to n - 2");
}

}  // namespace detail

//! The run of algorithm DP-OPT on n * n weights. Errors: std::invalid_argument for fewer than 3
//! vertices or another number of weights.
[[nodiscard]] inline traced_triangulation trace_dp(std::vector<index> const& weights, index n) {
  return detail::traced(weights, n, dp_triangulation{});
}
//! The run of algorithm UMM-OPT. Errors: as trace_dp.
[[nodiscard]] inline traced_triangulation trace_umm(std::vector<index> const& weights, index n) {
  return detail::traced(weights, n, detail::traced_umm_program{});
}

//! The values of the table, coloured by the stage that stores them last. Source: Nakano 2013b,
//! figure 8.
[[nodiscard]] inline grid_picture table_of(traced_triangulation const& run, std::string title) {
  grid_panel panel = detail::table_panel(run.n, "M[i][j], coloured by stages");
  std::vector<index> last(run.table.size(), -1);  // the round that stores an entry last
  for (trace_entry const& e : run.accesses.entries)
    if (e.op == access_kind::write && e.address < run.n * run.n)
      last[static_cast<std::size_t>(e.address)] = e.round;
  std::vector<index> stages;  // the last rounds of the stages, in their order
  for (index r = 0; r <= run.n - 2; ++r)
    stages.push_back(last[static_cast<std::size_t>(run.n + 1 + r)]);  // M[1][1 + r]
  for (index i = 1; i < run.n; ++i)
    for (index j = i; j < run.n; ++j) {
      index const address = i * run.n + j;
      grid_cell& cell = detail::cell_of(panel, run.n, address);
      cell.text = std::to_string(run.entry(i, j));
      for (std::size_t r = 0; r < stages.size(); ++r)
        if (stages[r] == last[static_cast<std::size_t>(address)]) cell.tint = static_cast<index>(r);
    }
  return {std::move(title),
          {std::move(panel)},
          std::string(detail::table_legend) +
              "Stage r computes the diagonal j - i = r: a colour for each stage. The entry of row "
              "1 and the last column is the least weight of the polygon."};
}

//! The entries that DP-OPT reads for M[i][i + r]. Errors: std::invalid_argument for a stage r
//! outside of 1 to n - 2, or a row i outside of 1 to n - r - 1. Source: Nakano 2013b, figure 9.
[[nodiscard]] inline grid_picture entries_for(traced_triangulation const& dp, index i, index r,
                                              std::string title) {
  detail::reject_stage(r, dp.n);
  if (i < 1 || i > dp.n - r - 1) mmm::detail::reject("the row of an entry", i, "1 to n - r - 1");
  grid_panel panel = detail::table_panel(
      dp.n, "what M[" + std::to_string(i) + "][" + std::to_string(i + r) + "] is computed from");
  index const first = detail::dp_stage(r);
  for (trace_entry const& e : dp.accesses.entries) {
    if (e.round < first || e.round >= first + 2 * r || e.thread != i - 1) continue;
    grid_cell& cell = detail::cell_of(panel, dp.n, e.address);
    index const k = (e.round - first) / 2;
    bool const x = (e.round - first) % 2 == 0;
    cell.text = (x ? "X" : "Y") + std::to_string(k);
    cell.tint = x ? detail::tint_x : detail::tint_y;
  }
  grid_cell& target = detail::cell_of(panel, dp.n, i * dp.n + i + r);
  target = {"M", detail::tint_written, true, false};
  return {std::move(title),
          {std::move(panel)},
          std::string(detail::table_legend) +
              "M is the least of the sums Xk + Yk, of an entry to its left and one below it, plus "
              "the weight of its chord."};
}

//! The entries that UMM-OPT updates in stage r, and the diagonal r - 1, one of whose entries is in
//! each sum. Errors: as entries_for. Source: Nakano 2013b, figure 10.
[[nodiscard]] inline grid_picture updated_at(traced_triangulation const& umm, index r,
                                             std::string title) {
  detail::reject_stage(r, umm.n);
  grid_panel panel = detail::table_panel(umm.n, "stage " + std::to_string(r));
  index const first = detail::umm_stage(r);
  for (trace_entry const& e : umm.accesses.entries) {
    if (e.round == first + 6)
      detail::cell_of(panel, umm.n, detail::copied_entry(umm, e.address, r)) = {"X",
                                                                                detail::tint_x};
    if (e.address >= umm.n * umm.n) continue;
    bool const updated = e.round == first + 3 || e.round == first + 7;
    bool const stored = e.round == first + 10;
    if (e.round == first + 1) detail::cell_of(panel, umm.n, e.address) = {"X", detail::tint_x};
    if (updated || stored)
      detail::cell_of(panel, umm.n, e.address) = {"M", detail::tint_written, stored, false};
  }
  return {std::move(title),
          {std::move(panel)},
          std::string(detail::table_legend) +
              "M: updated in this stage, and final on the dark diagonal r. X: entries of diagonal "
              "r - 1, one of which is in each sum."};
}

//! The case of a stage of UMM-OPT: the entry of diagonal r - 1 is the left (loop D) or the right
//! summand (loop E).
enum class umm_case { left, right };

//! The entries of row i that UMM-OPT updates in one case of stage r, and those that it reads.
//! Errors: as entries_for. Source: Nakano 2013b, figures 11 and 12.
[[nodiscard]] inline grid_picture updates_of_row(traced_triangulation const& umm, umm_case which,
                                                 index i, index r, std::string title) {
  detail::reject_stage(r, umm.n);
  if (i < 1 || i > umm.n - r - 1) mmm::detail::reject("the row of an update", i, "1 to n - r - 1");
  bool const left = which == umm_case::left;
  grid_panel panel =
      detail::table_panel(umm.n, "row " + std::to_string(i) + ", stage " + std::to_string(r));
  index const first = detail::umm_stage(r) + (left ? 0 : 4);
  std::vector<bool> of_row(static_cast<std::size_t>(umm.n * umm.n));  // threads
  for (trace_entry const& e : umm.accesses.entries) {
    if (e.round == first + 3 && e.address / umm.n == i) of_row[e.thread] = true;
  }
  for (trace_entry const& e : umm.accesses.entries) {
    if (e.round < first || e.round > first + 3 || !of_row[e.thread]) continue;
    bool const x = e.round == first + 1;
    bool const y = e.round == first + 2;
    index const address = y && !left ? detail::copied_entry(umm, e.address, r) : e.address;
    grid_cell& cell = detail::cell_of(panel, umm.n, address);
    cell = {x   ? "X"
            : y ? "Y"
                : "M",
            x   ? detail::tint_x
            : y ? detail::tint_y
                : detail::tint_written,
            !x && !y, false};
  }
  return {std::move(title),
          {std::move(panel)},
          std::string(detail::table_legend) +
              (left ? "M becomes at most X + Y, where X is the entry of diagonal r - 1 in the row, "
                      "and Y are entries of one row below: sequential reads and writes."
                    : "M becomes at most X + Y, where X are entries of the same row, and Y of "
                      "diagonal r - 1, which is read from a copy in consecutive words.")};
}

}  // namespace mmm::report
