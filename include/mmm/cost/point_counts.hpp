// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/line_sums.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/period.hpp>

//! The points of a box at which a linear function of its dimensions reaches a bound, in O(log)
//! steps.
namespace mmm::detail {

//! Counts points of a box by the value of `sum of coefficient * coordinate`, for comparisons with
//! the lanes of a linear form. Dimensions that together count on, as the digits of a number do, are
//! joined to one; the counts are known if at most two remain.
template <int W>
class point_counts {
 public:
  constexpr point_counts(warp_box<W> const& box, linear_form const& x) : points_(box.volume()) {
    if (!within_reach(x.origin) || !product_within_reach(x.stride, box.lanes)) return;
    index reach = 0;
    for (int d = 0; d < box.dimensions; ++d) {
      index const c = x.coefficient[d];
      if (c == 0 || box.extent[d] == 1) continue;
      if (!product_within_reach(c, box.extent[d])) return;
      reach += magnitude(c) * box.extent[d];
      if (!within_reach(reach)) return;
      if (c < 0) least_ += c * (box.extent[d] - 1);  // counted from its other end
      if (!add(magnitude(c), box.extent[d])) return;
    }
    known_ = join();
  }

  //! False if the function is not of this form, or its values might leave 64 bits.
  [[nodiscard]] constexpr bool known() const { return known_; }
  [[nodiscard]] constexpr index points() const { return points_; }

  //! The number of points at which the function is `bound` or more.
  [[nodiscard]] constexpr index at_least(index bound) const {
    return points_ - multiplicity_ * below(bound - least_);
  }

 private:
  static constexpr int max_dimensions = 8;
  bool known_ = false;
  int dimensions_ = 0;
  index points_;
  index multiplicity_ = 1;  //!< points for each value of the dimensions below
  index least_ = 0;         //!< of the function
  index step_[max_dimensions] = {};
  index extent_[max_dimensions] = {};

  //! Adds a dimension, in the order of the steps.
  constexpr bool add(index step, index extent) {
    if (dimensions_ == max_dimensions) return false;
    int k = dimensions_++;
    for (; k > 0 && step_[k - 1] > step; --k) {
      step_[k] = step_[k - 1];
      extent_[k] = extent_[k - 1];
    }
    step_[k] = step;
    extent_[k] = extent;
    return true;
  }
  constexpr bool join() {
    int joined = 0;
    for (int k = 1; k < dimensions_; ++k) {
      if (step_[k] == step_[joined] * extent_[joined]) {
        extent_[joined] *= extent_[k];
      } else {
        ++joined;
        step_[joined] = step_[k];
        extent_[joined] = extent_[k];
      }
    }
    if (dimensions_ > 0) dimensions_ = joined + 1;
    index values = 1;
    for (int k = 0; k < dimensions_; ++k) values *= extent_[k];
    multiplicity_ = points_ / values;
    return dimensions_ <= 2;
  }

  //! The number of values of the joined dimensions whose sum is below `bound`.
  [[nodiscard]] constexpr index below(index bound) const {
    if (bound <= 0) return 0;
    if (dimensions_ == 0) return 1;
    index const g = step_[0];
    index const n = extent_[0];
    if (dimensions_ == 1) return smaller(n, ceil_divide(bound, g));
    // the values of the other dimension that occur with any, and with all, values of this one
    index const h = step_[1];
    index const any = smaller(extent_[1], ceil_divide(bound, h));
    index const whole_below = bound - g * (n - 1);
    index const all = whole_below <= 0 ? 0 : smaller(any, ceil_divide(whole_below, h));
    auto const others =
        static_cast<index>(sum_quotients(any - all, -h, bound - h * all + g - 1, g));
    return all * n + others;
  }
};

}  // namespace mmm::detail
