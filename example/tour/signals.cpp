// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "signals.hpp"

#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>

#include "machines.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tour {
namespace {

constexpr index threads = 2048;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

//! Taps of a low-pass filter, a sinc in a Hamming window; they sum to 1.
curve low_pass() {
  curve taps;
  for (index k = 0; k < filter_taps; ++k) {
    auto const x = static_cast<double>(2 * k + 1 - filter_taps) / filter_period;
    double const sinc = x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
    double const turn = 2 * std::numbers::pi * static_cast<double>(k) / (filter_taps - 1);
    taps.push_back(sinc * (0.54 - 0.46 * std::cos(turn)));
  }
  double const sum = std::accumulate(taps.begin(), taps.end(), 0.0);
  for (double& tap : taps) tap /= sum;
  return taps;
}

//! A curve extended by its first and last values, so that the filtered curve is as long as the
//! given one.
curve extended(curve const& values) {
  curve longer(filter_taps / 2, values.front());
  longer.insert(longer.end(), values.begin(), values.end());
  longer.resize(longer.size() + filter_taps / 2, values.back());
  return longer;
}

//! True if a result equals that of a plain loop, up to rounding in sums of filter_taps products.
bool is_filtered(curve const& result, curve const& taps, curve const& words) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    double expected = 0;
    double magnitude = 0;
    for (std::size_t k = 0; k < taps.size(); ++k) {
      expected += taps[k] * words[i + k];
      magnitude += std::abs(taps[k] * words[i + k]);
    }
    if (!(std::abs(result[i] - expected) <= filter_taps * epsilon * magnitude)) return false;
  }
  return true;
}

//! True if a result equals that of a plain loop, up to rounding in sums of up to n values.
bool is_integral(curve const& result, curve const& values) {
  double expected = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected += values[i];
    magnitude += std::abs(values[i]);
    if (!(std::abs(result[i] - expected) <= static_cast<double>(i + 1) * epsilon * magnitude))
      return false;
  }
  return true;
}

}  // namespace

processed process(curve const& values) {
  auto const n = static_cast<index>(values.size());
  std::string const problem = mmm::report::detail::counted(n, "value");
  curve const taps = low_pass();
  curve const words = extended(values);
  curve centred = values;
  double const mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  for (double& x : centred) x -= mean;

  processed found;
  auto const filter = [&](auto const& machine) {
    found.smooth.assign(values.size(), 0);
    found.measurements.push_back(measure(
        machine, mmm::convolution, problem + ", " + std::to_string(filter_taps) + " taps", threads,
        [&](auto on) {
          mmm::convolution(on, taps.begin(), taps.end(), words.begin(), words.end(),
                           found.smooth.begin(), found.smooth.end());
        },
        [&](mmm::nothing) { return is_filtered(found.smooth, taps, words); }, mmm::size(n),
        mmm::taps(filter_taps)));
  };
  filter(dmm{});
  filter(hmm{});
  found.integral.resize(values.size());
  found.measurements.push_back(measure(
      hmm{}, mmm::prefix_sums, problem, threads,
      [&](auto on) {
        mmm::prefix_sums(on, centred.begin(), centred.end(), found.integral.begin());
      },
      [&](mmm::nothing) { return is_integral(found.integral, centred); }, mmm::size(n)));
  return found;
}

}  // namespace tour
