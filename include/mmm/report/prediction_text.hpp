// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/report/table.hpp>
#include <mmm/timing/predict.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

//! Predictions in words, and rankings of candidates.
namespace mmm::report {

//! What limits a kernel: "global bandwidth", "instruction issue", ...
[[nodiscard]] constexpr char const* words(time_limit limit) {
  constexpr char const* names[] = {"global bandwidth",  "cache bandwidth", "shared bandwidth",
                                   "instruction issue", "bytes in flight", "latency",
                                   "barriers",          "launch"};
  return names[static_cast<int>(limit)];
}

//! Microseconds with three digits or more: "3.31", "4120".
[[nodiscard]] inline std::string microseconds(double time) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text,
                                  time < 10    ? "%.2f"
                                  : time < 100 ? "%.1f"
                                               : "%.0f",
                                  time));
  return text;
}

//! The ranking of candidates on a GPU for size or shape `n`, the chosen one first: name, predicted
//! microseconds, what limits it; last the names of those that cannot run there.
template <class... Candidates, class Size>
[[nodiscard]] table why(gpu::device_facts const& facts, candidates<Candidates...> const& all,
                        Size const& n) {
  struct row {
    index number;
    char const* name;
    candidate_prediction found;
  };
  std::vector<row> rows;
  all.for_each([&](index number, auto const& one) {
    rows.push_back({number, one.name, one.predict(facts, one.plan, n)});
  });
  std::sort(rows.begin(), rows.end(), [](row const& a, row const& b) {
    if (a.found.possible != b.found.possible) return a.found.possible;
    if (a.found.possible && a.found.time.microseconds != b.found.time.microseconds)
      return a.found.time.microseconds < b.found.time.microseconds;
    return a.number < b.number;
  });
  table ranking({"candidate", "predicted, µs", "limited by"});
  for (row const& r : rows)
    ranking.add({r.name, r.found.possible ? microseconds(r.found.time.microseconds) : "-",
                 r.found.possible ? words(r.found.time.limit) : "cannot run here"});
  return ranking;
}
//! why() for GPU `G`: `text(why<gpu::h200>(known::sums, size(1 << 20)))`.
template <class G, class... Candidates, class Size>
[[nodiscard]] table why(candidates<Candidates...> const& all, Size const& n) {
  return why(G::facts, all, n);
}

}  // namespace mmm::report
