// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/cost/expected_congestion.hpp>
#include <mmm/report/drawing.hpp>

#include <cmath>
#include <string>

//! The distribution of a random congestion, as text and as a picture.
namespace mmm::report {

namespace detail {

//! "3.532941, exact" or "3.607084, between 3.603410 and 3.610759 with a confidence of 99.9 %".
[[nodiscard]] inline std::string expectation_text(expected_stages const& s) {
  std::string const value = decimal(s.value, 6);
  if (s.exact) return value + ", exact";
  return value + ", between " + decimal(s.low, 6) + " and " + decimal(s.high, 6) +
         " with a confidence of " + decimal(100 * s.confidence, 1) + " % by " +
         std::to_string(s.samples) + " random shifts";
}
//! The largest congestion with this probability or a higher one.
[[nodiscard]] inline index last_shown(expected_stages const& s, double least) {
  index last = 1;
  for (index k = 1; k <= 64; ++k)
    if (s.probability[k] >= least) last = k;
  return last;
}

}  // namespace detail

//! The expectation, and a line for each congestion with its probability in percent, up to the last
//! that has 0.0005 % or more.
[[nodiscard]] inline std::string text(expected_stages const& s) {
  std::string all = "expected congestion " + detail::expectation_text(s) + "\n";
  for (index k = 1; k <= detail::last_shown(s, 5e-6); ++k)
    all += detail::padded_left(std::to_string(k), 4) +
           detail::padded_left(detail::decimal(100 * s.probability[k], 3), 10) + " %\n";
  return all;
}

//! A bar for each congestion, as high as it is probable, up to the last that has 0.005 % or more.
//! A tick below marks the expectation.
[[nodiscard]] inline std::string svg(expected_stages const& s, std::string const& title) {
  using detail::palette;
  constexpr index left = 50, top = 80, height = 220, bar = 44, gap = 16;
  index const last = detail::last_shown(s, 5e-5);
  index const width = left + last * (bar + gap) + gap;
  index const whole = width + 20 < 520 ? 520 : width + 20;
  double largest = 0;
  for (double const p : s.probability) largest = p > largest ? p : largest;
  detail::drawing d;
  d.text(left, 28, title, {.size = 15, .bold = true});
  std::string const expectation = "expected congestion " + detail::expectation_text(s);
  d.paragraph(left, 48, whole - left - 20, expectation, {.fill = palette::quiet});
  for (index k = 1; k <= last; ++k) {
    double const p = s.probability[k];
    index const x = left + gap + (k - 1) * (bar + gap);
    auto const high = static_cast<index>(std::lround(p / largest * (height - 30)));
    if (high > 0)
      d.rectangle(x, top + height - high, bar, high, k == 1 ? palette::good : palette::bad);
    d.text(x + bar / 2, top + height - high - 5,
           detail::decimal(100 * p, p < 0.0995 ? 2 : 1) + " %", {.size = 10, .anchor = "middle"});
    d.text(x + bar / 2, top + height + 16, std::to_string(k), {.anchor = "middle"});
  }
  d.rectangle(left, top + height, width - left, 1, palette::ink);
  auto const line =
      static_cast<index>(std::lround(left + gap + bar / 2 + (s.value - 1) * (bar + gap)));
  d.rectangle(line, top + height, 2, 6, palette::ink);
  d.text(left + gap, top + height + 36, "stages of the request", {.fill = palette::quiet});
  return d.svg(whole, top + height + 50, title, expectation);
}

}  // namespace mmm::report
