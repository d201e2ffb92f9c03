// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups.cuh"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

//! One figure under measurement: curves over a parameter, with modelled and measured times.
class figure {
 public:
  figure(session& s, std::string name, std::string title, std::string x_axis)
      : session_(s), name_(std::move(name)), title_(std::move(title)), x_axis_(std::move(x_axis)) {}

  void begin_curve(std::string const& name) { curves_.push_back({name, {}, {}}); }

  //! Adds the curve's point at x: `run` takes `time_units` in the model, and `right` tells whether
  //! its result is right. A configuration that the device refuses is skipped; a wrong result is
  //! recorded.
  template <class Run, class Right>
  void point(index x, index time_units, Run const& run, Right const& right) {
    auto& curve = curves_.back();
    json_object out;
    out.add("figure", name_)
        .add("curve", curve.name)
        .add("x", x)
        .add("modelled_time_units", time_units);
    double const predicted = session_.device.microseconds(time_units) + session_.device.launch_us;
    out.add("modelled_us", predicted);
    curve.points.emplace_back(x, nanoseconds(predicted));
    if (session_.out_of_time()) {
      points_.push_back(out.add("left_out", "the benchmark's time was over"));
      return;
    }
    try {
      run();
      check(cudaStreamSynchronize(session_.stream()), "cudaStreamSynchronize", title_);
      if (!right()) {
        session_.note_wrong(title_ + ", " + curve.name + " at " + std::to_string(x));
        points_.push_back(out.add("verified", false));
        return;
      }
      summary const s = session_.time(run, 0.03, 3);
      out.add("verified", true)
          .add("median_us", s.median)
          .add("lower_quartile_us", s.lower_quartile);
      out.add("upper_quartile_us", s.upper_quartile).add("runs", s.runs);
      curve.marks.emplace_back(x, nanoseconds(s.median));
      double const error = std::abs(predicted - s.median) / s.median;
      points_.push_back(out.add("model_error", error));
      errors_ += error;
      ratios_ += std::abs(std::log2(predicted / s.median));
    } catch (std::length_error const& e) {
      points_.push_back(out.add("left_out", e.what()));
    } catch (std::invalid_argument const& e) {
      points_.push_back(out.add("left_out", e.what()));
    }
  }

  void finish(sweeps& into) {
    std::size_t measured = 0;
    for (auto const& c : curves_) measured += c.marks.size();
    json_object error;
    error.add("figure", name_).add("title", title_).add("points", static_cast<index>(measured));
    if (measured > 0) {
      error.add("mean_model_error", errors_ / static_cast<double>(measured));
      error.add("mean_factor", std::exp2(ratios_ / static_cast<double>(measured)));
      into.pictures[name_] = picture(curves_, title_, x_axis_);
      std::printf("figure %-14s %3zu points, mean error of the model %.0f %%, mean factor %.2f\n",
                  name_.c_str(), measured, 100 * errors_ / static_cast<double>(measured),
                  std::exp2(ratios_ / static_cast<double>(measured)));
    }
    into.errors.push_back(error);
    into.points.insert(into.points.end(), points_.begin(), points_.end());
  }

 private:
  [[nodiscard]] static index nanoseconds(double us) {
    return std::max(index{1}, std::lround(us * 1000));
  }

  session& session_;
  std::string name_;
  std::string title_;
  std::string x_axis_;
  std::vector<mmm::report::curve> curves_{};
  std::vector<json_object> points_{};
  double errors_ = 0;
  double ratios_ = 0;
};

}  // namespace bench
