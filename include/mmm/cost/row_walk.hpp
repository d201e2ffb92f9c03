// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/trapezoid.hpp>

//! Stages on address groups of an access at affine addresses, row by row over a trapezoid.
//!
//! Within a row the addresses of an affine access are an arithmetic sequence, whatever warps it is
//! cut into. So the stages of a row are its address groups, plus one for each boundary of warps
//! that cuts a group, less the groups that the warp in which the row begins has touched in the rows
//! before.
namespace mmm::detail {

//! `sum domain (step * k + origin) / w` over 0 <= k < count, modulo 2^64, for `0 <= step < w` and
//! `origin >= 0`. Time: O(log w) steps, as Euclid's.
[[nodiscard]] constexpr std::uint64_t floor_sum(index count, index step, index origin, index w) {
  std::uint64_t sum = 0;
  while (true) {
    index const pairs_even = count % 2 == 0 ? count / 2 : count;
    index const pairs_other = count % 2 == 0 ? count - 1 : (count - 1) / 2;
    sum += static_cast<std::uint64_t>(pairs_even) * static_cast<std::uint64_t>(pairs_other) *
               static_cast<std::uint64_t>(step / w) +
           static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(origin / w);
    step %= w;
    index const highest = checked_add(checked_multiply(step, count), origin % w);
    if (highest < w) return sum;
    count = highest / w;  // the points under the line, counted along the other axis
    origin = highest % w;
    index const divisor = step;
    step = w;
    w = divisor;
  }
}
//! The number of those among `origin, origin + step, …`, `count` numbers, that are below
//! `bound < w` modulo `w`.
[[nodiscard]] constexpr index count_below_modulo(index count, index step, index origin, index bound,
                                                 index w) {
  step %= w;
  origin %= w;
  // at most `count`, so that the difference is right although the sums may not be
  return static_cast<index>(floor_sum(count, step, origin + w, w) -
                            floor_sum(count, step, origin + w - bound, w));
}

//! The address groups that a warp has touched, as intervals that do not adjoin.
template <int W>
class touched_groups {
 public:
  constexpr void clear() { used_ = 0; }
  //! Adds the groups low … high; returns how many of them are new.
  constexpr index add(index low, index high) {
    index before = 0;
    int count = 0;
    for (int k = 0; k < used_; ++k) {
      if (high_[k] < low - 1 || low_[k] > high + 1) {
        low_[count] = low_[k];
        high_[count++] = high_[k];
      } else {
        before += high_[k] - low_[k] + 1;
        low = smaller(low, low_[k]);
        high = larger(high, high_[k]);
      }
    }
    low_[count] = low;
    high_[count] = high;
    used_ = count + 1;
    return high - low + 1 - before;
  }

 private:
  int used_ = 0;
  index low_[W] = {};
  index high_[W] = {};
};

//! Stages on address groups of an access with addresses
//! `base + row_step * row + column_step * column`, warp by warp over a trapezoid.
template <int W>
class row_walk {
 public:
  //! An item on its way through the rows.
  using place = trapezoid::place;

  constexpr row_walk(index w, trapezoid const& shape, index row_step, index column_step)
      : w_(w), shape_(shape), row_step_(row_step), column_step_(column_step) {
    if (shape.length(0) == 1 && row_step >= 0) {  // a column is a row
      shape_ = {1, shape.rows_in_use(), shape.rows_in_use()};
      row_step_ = 0;
      column_step_ = row_step;
    }
    if (w == 1) {  // every item is a warp, every word a group
      row_step_ = column_step_ = 1;
      rises_ = true;
      return;
    }
    index const rows = shape_.rows_in_use();
    index const reach = checked_multiply(magnitude(column_step_), shape_.length(0));
    rises_ = rows <= 1 || row_step_ >= reach - magnitude(column_step_);
    // Addresses modulo w are what counts: they start at 0 or a little above.
    index const fall = row_step_ < 0 ? checked_multiply(-row_step_, rows - 1) : 0;
    lift_ = checked_multiply(ceil_divide(fall, w), w);
    static_cast<void>(
        checked_add(checked_add(reach, lift_), checked_multiply(magnitude(row_step_), rows)));
  }

  //! True if count() is right for these steps.
  [[nodiscard]] constexpr bool applies() const {
    return column_step_ >= 0 && (rises_ || column_step_ < w_);
  }
  //! True if the base does not matter.
  [[nodiscard]] constexpr bool scattered() const {
    return shape_.rows_in_use() == 1 && column_step_ >= w_;
  }

  //! Rows of at most `below` words, and of at least `above`, are separate: no row after one begins
  //! in a group that the warp around its beginning has touched before.
  struct separate_lengths {
    index below;
    index above;
  };
  [[nodiscard]] constexpr separate_lengths separate() const {
    bool const apart = row_step_ >= w_;
    if (column_step_ == 0) return {apart ? INT64_MAX : 0, INT64_MAX};
    return {apart ? (row_step_ - w_) / column_step_ + 1 : 0,
            2 * w_ + 1 + ceil_divide(checked_add(larger(row_step_, 0), w_), column_step_)};
  }
  //! Stages of the items [first, last), where each `period <= w` consecutive ones are a warp; the
  //! first `left` of them belong to one that begins before. `position` is the place of `first` and
  //! becomes that of `last`. Time: O(rows) steps, times O(log w) where period < w.
  constexpr index count(place& position, index first, index last, index period, index base,
                        index left = 0) {
    base = floor_modulo(base, w_) + lift_;
    index total = 0;
    index top = -1;  // the last group of a warp that lacks `left` items
    groups_.clear();
    while (first < last) {
      index const whole = shape_.length(position.row) - position.column;
      index const n = smaller(whole, last - first);
      index const low = base + row_step_ * position.row + column_step_ * position.column;
      index const first_group = low / w_;
      index const last_group = (low + column_step_ * (n - 1)) / w_;
      index const boundary = left == 0 ? period : left;
      index const boundaries = n > boundary ? (n - boundary - 1) / period + 1 : 0;
      total += column_step_ >= w_ ? n : last_group - first_group + 1;
      if (boundaries != 0 && column_step_ < w_)
        total += cut_groups(low + column_step_ * boundary, boundaries, period);
      if (rises_)
        total -= left != 0 && first_group == top;
      else
        total -= known_groups(low, n, left, boundary + (boundaries - 1) * period);
      top = last_group;
      left = boundaries == 0 ? boundary - n : period - (n - boundary - (boundaries - 1) * period);
      first += n;
      position = n == whole ? place{position.row + 1, 0} : place{position.row, position.column + n};
    }
    return total;
  }

 private:
  //! The number of warps that begin in a group that the warp before has touched, too.
  [[nodiscard]] constexpr index cut_groups(index address, index boundaries, index period) const {
    if (column_step_ * period % w_ == 0) return address % w_ >= column_step_ ? boundaries : 0;
    return boundaries -
           count_below_modulo(boundaries, column_step_ * period, address, column_step_, w_);
  }

  //! The number of a row's first groups that its first warp has touched in the rows before.
  //! Remembers the groups of the row's last warp.
  constexpr index known_groups(index low, index n, index left, index last_boundary) {
    index const head = left == 0 ? n : smaller(n, left);
    index const first_group = low / w_;
    index const last_group = (low + column_step_ * (head - 1)) / w_;
    if (left == 0) groups_.clear();
    index const known = last_group - first_group + 1 - groups_.add(first_group, last_group);
    if (last_boundary > 0) {
      groups_.clear();
      groups_.add((low + column_step_ * last_boundary) / w_, (low + column_step_ * (n - 1)) / w_);
    }
    return known;
  }

  index w_;
  trapezoid shape_;
  index row_step_;
  index column_step_;
  index lift_ = 0;
  bool rises_ = false;  //!< no row has a group before the last one of the row before
  touched_groups<W> groups_{};
};

}  // namespace mmm::detail
