// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/rank.hpp>
#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/prediction_text.hpp>
#include <mmm/report/space_text.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

//! A tuning space as a picture.
namespace mmm::report {

//! The ranking of a space as an SVG document: a bar for each point that remains, as long as its
//! predicted time, the best in another colour; then a row for each filter, with a square for each
//! point that it removed. A square's tip has the point's name and the condition. Shows the 16
//! quickest points and says how many are left out.
template <index Count>
[[nodiscard]] std::string space_svg(std::string_view title, space_ranking<Count> const& ranking) {
  using detail::palette;
  constexpr index left = 440, right = 860, top = 60, bar = 18, square = 11, shown = 16;
  constexpr index in_row = (right - left) / square;
  index const remaining = ranking.remaining();
  index const bars = std::min(remaining, shown);
  double const longest = bars > 0 ? ranking.at(bars - 1).time.microseconds : 1;
  detail::drawing out;
  out.text(20, 34, title, {18, palette::ink, "start", true});
  index y = top;
  for (index k = 0; k < bars; ++k) {
    rated_point const& point = ranking.at(k);
    double const share = point.time.microseconds / longest;
    auto const length = static_cast<index>(std::lround(share * static_cast<double>(right - left)));
    out.text(left - 8, y + 12, point.name, {12, palette::ink, "end"});
    out.rectangle(left, y, std::max(length, index{1}), bar - 5,
                  k == 0 ? palette::good : palette::fetched, "none",
                  std::string(point.name) + ": limited by " + words(point.time.limit));
    out.text(left + length + 4, y + 11, microseconds(point.time.microseconds) + " µs",
             {11, palette::quiet});
    y += bar;
  }
  if (remaining > bars) {
    out.text(left, y + 12, detail::counted(remaining - bars, "slower point"), {12, palette::quiet});
    y += bar;
  }
  std::vector<std::string_view> filters;
  for (rated_point const& point : ranking.points)
    if (point.removed() && std::find(filters.begin(), filters.end(), point.filter) == filters.end())
      filters.emplace_back(point.filter);
  y += 12;
  for (std::string_view const filter : filters) {
    index count = 0;
    for (rated_point const& point : ranking.points) {
      if (!point.removed() || point.filter != filter) continue;
      out.rectangle(left + count % in_row * square, y + count / in_row * square, square - 2,
                    square - 2, palette::bad, "none",
                    std::string(point.name) + ": " + removal_text(point));
      ++count;
    }
    out.text(left - 8, y + 9, "not “" + std::string(filter) + "”: " + std::to_string(count),
             {12, palette::ink, "end"});
    y += ((count - 1) / in_row + 1) * square + 8;
  }
  return out.svg(right + 90, y + 10, title,
                 "The points of a tuning space: predicted times, and the filters that removed "
                 "the others");
}

}  // namespace mmm::report
