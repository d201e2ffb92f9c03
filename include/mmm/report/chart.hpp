// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! Charts of times against a parameter on logarithmic axes, as in the papers.
namespace mmm::report {

//! One curve of a chart; all coordinates are 1 or more.
struct curve {
  std::string name;
  //! (parameter, time), in the order of the parameter
  std::vector<std::pair<index, index>> points;
  //! points that are shown as discs: simulated, measured, ...
  std::vector<std::pair<index, index>> marks;
};

//! The texts of a chart.
struct chart_text {
  std::string title;
  std::string x_axis;
  std::string y_axis = "time units";
  std::string marks = "simulated";  //!< the name of the discs
};

namespace detail {

//! "1K", "128M": powers of two as people write them, other numbers in full.
[[nodiscard]] inline std::string short_number(index n) {
  char const* const unit[] = {"", "K", "M", "G"};
  int steps = 0;
  while (n >= 1024 && n % 1024 == 0 && steps < 3) {
    n /= 1024;
    ++steps;
  }
  return std::to_string(n) + unit[steps];
}

//! A logarithmic axis from `low` to `high` over the pixels from `first` to `last`.
struct log_axis {
  double low;
  double high;
  index first;
  index last;
  [[nodiscard]] index pixel(index value) const {
    double const share =
        high > low ? (std::log2(static_cast<double>(value)) - low) / (high - low) : 0.5;
    return first + static_cast<index>(std::lround(share * static_cast<double>(last - first)));
  }
};

}  // namespace detail

//! The chart as an SVG document. Curves differ in colour, and have their names at their ends.
[[nodiscard]] inline std::string svg(std::vector<curve> const& curves, chart_text const& words) {
  using detail::palette;
  constexpr index width = 900, height = 520, left = 90, right = 700, top = 60, bottom = 450;
  double x_low = 62, x_high = 0, y_low = 62, y_high = 0;
  bool any_marks = false;
  std::vector<index> places;
  auto const reach = [&](std::pair<index, index> const& point) {
    double const x = std::log2(static_cast<double>(point.first));
    double const y = std::log2(static_cast<double>(point.second));
    x_low = std::min(x_low, x);
    x_high = std::max(x_high, x);
    y_low = std::min(y_low, y);
    y_high = std::max(y_high, y);
    places.push_back(point.first);
  };
  for (curve const& c : curves) {
    for (auto const& point : c.points) reach(point);
    for (auto const& point : c.marks) reach(point);
    any_marks = any_marks || !c.marks.empty();
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  detail::log_axis const x{x_low, x_high, left, right};
  detail::log_axis const y{y_low - 0.2, y_high + 0.2, bottom, top};

  detail::drawing out;
  out.text(left, 34, words.title, {18, palette::ink, "start", true});
  for (index ten = 1; std::log2(static_cast<double>(ten)) <= y.high; ten *= 10) {
    if (std::log2(static_cast<double>(ten)) < y.low) continue;
    out.line(left, y.pixel(ten), right, y.pixel(ten), palette::rule);
    out.text(left - 8, y.pixel(ten) + 4, std::to_string(ten), {12, palette::quiet, "end"});
  }
  out.line(left, bottom, right, bottom, palette::ink);
  index last = left - 100;
  for (index const place : places) {
    out.line(x.pixel(place), bottom, x.pixel(place), bottom + 5, palette::ink);
    if (x.pixel(place) - last < 38) continue;
    last = x.pixel(place);
    out.text(last, bottom + 20, detail::short_number(place), {12, palette::quiet, "middle"});
  }
  out.text((left + right) / 2, bottom + 46, words.x_axis, {13, palette::ink, "middle"});
  out.text(left - 70, top - 10, words.y_axis, {13, palette::ink});

  std::vector<std::pair<index, std::size_t>> ends;  // heights of the names, from top to bottom
  for (std::size_t k = 0; k < curves.size(); ++k)
    if (!curves[k].points.empty()) ends.emplace_back(y.pixel(curves[k].points.back().second), k);
  std::sort(ends.begin(), ends.end());
  index free_from = 0;
  for (auto& [height_of_name, k] : ends) {
    height_of_name = std::max(height_of_name, free_from);
    free_from = height_of_name + 16;
  }
  for (std::size_t k = 0; k < curves.size(); ++k) {
    char const* const colour = palette::strong(static_cast<index>(k));
    auto const& points = curves[k].points;
    for (std::size_t i = 1; i < points.size(); ++i)
      out.line(x.pixel(points[i - 1].first), y.pixel(points[i - 1].second),
               x.pixel(points[i].first), y.pixel(points[i].second), colour, 2);
    for (auto const& [parameter, time] : curves[k].marks)
      out.disc(x.pixel(parameter), y.pixel(time), 4, colour,
               words.marks + ": " + std::to_string(time));
  }
  for (auto const& [height_of_name, k] : ends)
    out.text(right + 10, height_of_name + 4, curves[k].name,
             {12, palette::strong(static_cast<index>(k))});
  if (any_marks) {
    out.disc(left + 6, bottom + 58, 4, palette::ink);
    out.text(left + 16, bottom + 62, words.marks, {12, palette::quiet});
  }
  return out.svg(width, height, words.title,
                 words.y_axis + " against " + words.x_axis + ", logarithmic axes");
}

}  // namespace mmm::report
