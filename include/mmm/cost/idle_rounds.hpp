// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/line_sums.hpp>
#include <mmm/index/plane.hpp>

//! Counts the rounds without an access where the active items are runs in the rows of a plane.
namespace mmm::detail {

//! Runs of active items: in the rows `first … last - 1` of each band, from its `low` to its `high`,
//! which are numbers of items. No two runs overlap.
template <int Max>
class active_runs {
 public:
  [[nodiscard]] constexpr bool full() const { return count_ == Max; }
  [[nodiscard]] constexpr bool empty() const { return count_ == 0; }
  constexpr void add(band const& runs) { run_[count_++] = runs; }

  //! The number of rounds without an active item, among `rounds` rounds of `period` items each from
  //! item `first` on.
  [[nodiscard]] constexpr index idle_rounds(index first, index period, index rounds) const {
    index edge[2 * Max] = {};
    for (int k = 0; k < count_; ++k) {
      edge[2 * k] = run_[k].first;
      edge[2 * k + 1] = run_[k].last;
    }
    int const edges = 2 * count_;
    sort(edge, edges, [](index a, index b) { return a < b; });
    index idle = 0;
    index done = first;  // all items before are active or counted
    for (int k = 0; k + 1 < edges; ++k) {
      if (edge[k] == edge[k + 1]) continue;
      index const first_row = edge[k];
      index const last_row = edge[k + 1];
      band const* here[Max] = {};
      int n = 0;
      for (int r = 0; r < count_; ++r)
        if (run_[r].first <= first_row && run_[r].last >= last_row) here[n++] = &run_[r];
      if (n == 0) continue;
      sort(here, n, [=](band const* a, band const* b) {
        return a->low.at(first_row) < b->low.at(first_row);
      });
      line const next_row{here[0]->low.slope, checked_add(here[0]->low.offset, here[0]->low.slope)};
      idle += whole_rounds(first_row, first_row + 1, {0, done}, {0, here[0]->low.at(first_row)},
                           first, period);
      for (int r = 0; r + 1 < n; ++r)
        idle += whole_rounds(first_row, last_row, here[r]->high, here[r + 1]->low, first, period);
      idle += whole_rounds(first_row, last_row - 1, here[n - 1]->high, next_row, first, period);
      done = here[n - 1]->high.at(last_row - 1);
    }
    index const end = checked_add(first, checked_multiply(period, rounds));
    return idle + whole_rounds(0, 1, {0, done}, {0, end}, first, period);
  }

 private:
  int count_ = 0;
  band run_[Max] = {};

  template <class T, class Less>
  static constexpr void sort(T* values, int count, Less less) {
    for (int k = 1; k < count; ++k)
      for (int l = k; l > 0 && less(values[l], values[l - 1]); --l) {
        T const other = values[l];
        values[l] = values[l - 1];
        values[l - 1] = other;
      }
  }

  //! The rounds that lie between `begin` and `end`, in all rows `row … last - 1`.
  [[nodiscard]] static constexpr index whole_rounds(index row, index last, line const& begin,
                                                    line const& end, index first, index period) {
    // where there is room for one; in less, the difference below may be -1
    index const growth = end.slope - begin.slope;
    index const lacking = checked_add(checked_subtract(begin.offset, end.offset), period);
    if (growth == 0 && lacking > 0) return 0;
    if (growth > 0) row = larger(row, floor_divide(lacking - 1, growth) + 1);
    if (growth < 0) last = smaller(last, floor_divide(-lacking, -growth) + 1);
    if (row >= last) return 0;
    index const rows = last - row;
    return static_cast<index>(
        sum_quotients(rows, end.slope, end.at(row) - first, period) -
        sum_quotients(rows, begin.slope, begin.at(row) - first + period - 1, period));
  }
};

}  // namespace mmm::detail
