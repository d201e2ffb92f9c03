// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/table.hpp>
#include <mmm/timing/predict.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

//! Predictions in words, and rankings of candidates.
namespace mmm::report {

//! The limit of a kernel's time as words: "global bandwidth", "instruction issue", ...
[[nodiscard]] constexpr char const* words(time_limit limit) {
  constexpr char const* names[] = {"global bandwidth",  "cache bandwidth", "shared bandwidth",
                                   "instruction issue", "tensor cores",    "bytes in flight",
                                   "latency",           "barriers",        "launch"};
  return names[static_cast<int>(limit)];
}

//! Microseconds with three digits or more: "3.31", "4120".
[[nodiscard]] inline std::string microseconds(double time) {
  return detail::decimal(time, time < 10 ? 2 : time < 100 ? 1 : 0);
}

//! The level-2 cache at the start of a kernel.
[[nodiscard]] constexpr char const* cache_words(bool written) {
  return written ? "written" : "clean";
}

namespace detail {

//! "1.05 MB".
[[nodiscard]] inline std::string megabytes(double bytes) {
  return decimal(bytes / 1e6, bytes < 1e7 ? 2 : 0);
}

//! A candidate and its predicted time.
struct ranked_candidate {
  index number;
  char const* name;
  candidate_prediction found;
  [[nodiscard]] bool runs() const { return found.possible && found.time.fits(); }
};

//! A condition that is not met: "registers of a block, 40960 needed, 32768 available".
[[nodiscard]] inline std::string condition_text(unmet_condition const& unmet) {
  if (!unmet) return "a condition without a name";
  return std::string(unmet.quantity) + ", " + std::to_string(unmet.needed) + " needed, " +
         std::to_string(unmet.available) + " available";
}

//! The reason why a candidate has no time: "needs 137.4 GB, the GPU has 85.9".
[[nodiscard]] inline std::string why_not(candidate_prediction const& found) {
  if (!found.possible)
    return std::string("cannot run here") + (found.unmet ? ": " + condition_text(found.unmet) : "");
  char text[80];
  static_cast<void>(std::snprintf(text, sizeof text, "needs %.1f GB, the GPU has %.1f",
                                  found.time.memory_bytes / 1e9, found.time.gpu_bytes / 1e9));
  return text;
}

//! The candidates, the chosen one first, and last those that cannot run.
template <class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] std::vector<ranked_candidate> ranked(gpu::device_facts const& facts,
                                                   candidates<Candidates...> const& all,
                                                   Size const& n, Conditions const&... conditions) {
  std::vector<ranked_candidate> rows;
  all.for_each([&](index number, auto const& one) {
    grid_plan plan = one.plan;
    ((plan.conditions = conditions), ...);
    rows.push_back({number, one.name, one.predict(facts, plan, n)});
  });
  std::sort(rows.begin(), rows.end(), [](ranked_candidate const& a, ranked_candidate const& b) {
    if (a.runs() != b.runs()) return a.runs();
    if (a.runs() && a.found.time.microseconds != b.found.time.microseconds)
      return a.found.time.microseconds < b.found.time.microseconds;
    return a.number < b.number;
  });
  return rows;
}

}  // namespace detail

//! The ranking of candidates on a GPU for size or shape `n`, the chosen one first: name, predicted
//! microseconds, what limits it; the megabytes that its requests to the global memory move, and the
//! time that each limit would take alone, in percent of the predicted time: they overlap, and their
//! sum may be above 100; the level-2 cache at the start, clean or written
//! (mmm::prediction_conditions). A time by default instructions, of a kernel that was not counted,
//! has a question mark. Last the names of those that cannot run there, such as those whose arrays
//! are larger than the GPU's memory, with the bytes of both. With `conditions` they are those of
//! all candidates, in place of their own. report/prediction_svg.hpp draws it.
template <class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] table why(gpu::device_facts const& facts, candidates<Candidates...> const& all,
                        Size const& n, Conditions const&... conditions) {
  table ranking({"candidate", "predicted, µs", "limited by", "MB", "global, %", "cache, %",
                 "shared, %", "issue, %", "tensor, %", "in flight, %", "latency, %", "barriers, %",
                 "launch, %", "level-2 cache"});
  for (detail::ranked_candidate const& r : detail::ranked(facts, all, n, conditions...)) {
    prediction const& time = r.found.time;
    if (!r.runs()) {
      std::vector<std::string> cells(ranking.header().size(), "-");
      cells[0] = r.name;
      cells[2] = detail::why_not(r.found);
      ranking.add(cells);
      continue;
    }
    std::vector<std::string> cells{r.name,
                                   microseconds(time.microseconds) + (time.counted ? "" : "?"),
                                   words(time.limit), detail::megabytes(time.bytes)};
    for (double const alone : time.parts)
      cells.push_back(std::to_string(std::lround(100 * alone / time.microseconds)));
    cells.push_back(cache_words(time.written_cache));
    ranking.add(cells);
  }
  return ranking;
}
//! why() for GPU `G`: `text(why<gpu::h200>(known::sums, size(1 << 20)))`.
template <class G, class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] table why(candidates<Candidates...> const& all, Size const& n,
                        Conditions const&... conditions) {
  return why(G::facts, all, n, conditions...);
}

}  // namespace mmm::report
