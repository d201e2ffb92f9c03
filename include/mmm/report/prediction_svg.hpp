// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/prediction_text.hpp>
#include <mmm/timing/predict.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

//! A ranking of candidates as a picture.
namespace mmm::report {

//! The ranking of mmm::report::why as an SVG document: for each candidate its predicted time as a
//! pale band, and in it a bar for each limit, as long as the limit would take alone, that of the
//! limit which takes most in another colour. Shows the `shown` quickest candidates and says how
//! many are left out.
template <class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] std::string why_svg(gpu::device_facts const& facts, std::string_view title,
                                  candidates<Candidates...> const& all, Size const& n,
                                  Conditions const&... conditions) {
  using detail::palette;
  constexpr std::size_t shown = 6;
  constexpr index left = 150, right = 760, top = 60, bar = 13, band = prediction::limits * bar + 6;
  auto rows = detail::ranked(facts, all, n, conditions...);
  std::string const reason =
      rows.empty() || rows.front().runs() ? "" : ": " + detail::why_not(rows.front().found);
  std::erase_if(rows, [](auto const& row) { return !row.runs(); });
  std::size_t const left_out = sizeof...(Candidates) - std::min(rows.size(), shown);
  if (rows.size() > shown) rows.resize(shown);
  double longest = 0;
  for (auto const& row : rows) {
    longest = std::max(longest, row.found.time.microseconds);
    for (double const alone : row.found.time.parts) longest = std::max(longest, alone);
  }
  auto const length = [&](double time) {
    return static_cast<index>(std::lround(time / longest * static_cast<double>(right - left)));
  };
  detail::drawing out;
  out.text(20, 34, title, {18, palette::ink, "start", true});
  index y = top;
  for (auto const& row : rows) {
    prediction const& time = row.found.time;
    out.text(20, y + 12,
             std::string(row.name) + ": " + microseconds(time.microseconds) + " µs" +
                 (time.counted ? "" : "?") + ", limited by " + words(time.limit) + ", " +
                 detail::megabytes(time.bytes) + " MB, level-2 cache " +
                 cache_words(time.written_cache),
             {13, palette::ink});
    y += 20;
    out.rectangle(left, y, std::max(length(time.microseconds), index{1}), band, palette::fetched);
    for (int k = 0; k < prediction::limits; ++k) {
      auto const limit = static_cast<time_limit>(k);
      index const bar_top = y + 3 + k * bar;
      out.text(left - 8, bar_top + 10, words(limit), {11, palette::quiet, "end"});
      out.rectangle(left, bar_top + 2, length(time.parts[k]), bar - 4,
                    limit == time.limit ? palette::bad : palette::good, "none",
                    microseconds(time.parts[k]) + " µs");
      out.text(left + length(time.parts[k]) + 4, bar_top + 10, microseconds(time.parts[k]),
               {10, palette::quiet});
    }
    y += band + 18;
  }
  if (left_out > 0) {
    out.text(20, y + 6,
             "left out: " + detail::counted(static_cast<index>(left_out), "candidate") + reason,
             {12, palette::quiet});
    y += 18;
  }
  return out.svg(right + 60, y + 10, title,
                 "The time that each limit of a kernel takes alone, in microseconds, in the "
                 "predicted time");
}
//! why_svg() for GPU `G`.
template <class G, class... Candidates, class Size, class... Conditions>
requires(sizeof...(Conditions) <= 1)
[[nodiscard]] std::string why_svg(std::string_view title, candidates<Candidates...> const& all,
                                  Size const& n, Conditions const&... conditions) {
  return why_svg(G::facts, title, all, n, conditions...);
}

}  // namespace mmm::report
