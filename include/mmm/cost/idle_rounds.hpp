// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/line_sums.hpp>
#include <mmm/index/plane.hpp>

//! Rounds in which nobody accesses, where the active items are runs in the rows of a plane.
namespace mmm::detail {

//! Runs of active items: in the rows `first … last - 1` of each band, from its `low` to its `high`,
//! which are numbers of items. No two runs overlap.
template <int Max>
class active_runs {
 public:
  [[nodiscard]] constexpr bool full() const { return count_ == Max; }
  [[nodiscard]] constexpr bool empty() const { return count_ == 0; }
  constexpr void add(band const& runs) { run_[count_++] = runs; }

  //! Of `rounds` rounds of `period` items each, from item `first` on, those without an active item.
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
      index const from = edge[k];
      index const to = edge[k + 1];
      band const* here[Max] = {};
      int n = 0;
      for (int r = 0; r < count_; ++r)
        if (run_[r].first <= from && run_[r].last >= to) here[n++] = &run_[r];
      if (n == 0) continue;
      sort(here, n,
           [=](band const* a, band const* b) { return a->low.at(from) < b->low.at(from); });
      line const next_row{here[0]->low.slope, checked_add(here[0]->low.offset, here[0]->low.slope)};
      idle += whole_rounds(from, from + 1, {0, done}, {0, here[0]->low.at(from)}, first, period);
      for (int r = 0; r + 1 < n; ++r)
        idle += whole_rounds(from, to, here[r]->high, here[r + 1]->low, first, period);
      idle += whole_rounds(from, to - 1, here[n - 1]->high, next_row, first, period);
      done = here[n - 1]->high.at(to - 1);
    }
    index const end = checked_add(first, checked_multiply(period, rounds));
    return idle + whole_rounds(0, 1, {0, done}, {0, end}, first, period);
  }

 private:
  int count_ = 0;
  band run_[Max] = {};

  template <class T, class Less>
  static constexpr void sort(T* of, int count, Less less) {
    for (int k = 1; k < count; ++k)
      for (int l = k; l > 0 && less(of[l], of[l - 1]); --l) {
        T const other = of[l];
        of[l] = of[l - 1];
        of[l - 1] = other;
      }
  }

  //! The rounds that lie between `from` and `to`, in all rows `row … last - 1`.
  [[nodiscard]] static constexpr index whole_rounds(index row, index last, line const& from,
                                                    line const& to, index first, index period) {
    // where there is room for one; in less, the difference below may be -1
    index const growth = to.slope - from.slope;
    index const lacking = checked_add(checked_subtract(from.offset, to.offset), period);
    if (growth == 0 && lacking > 0) return 0;
    if (growth > 0) row = larger(row, floor_divide(lacking - 1, growth) + 1);
    if (growth < 0) last = smaller(last, floor_divide(-lacking, -growth) + 1);
    if (row >= last) return 0;
    index const rows = last - row;
    return static_cast<index>(
        sum_quotients(rows, to.slope, to.at(row) - first, period) -
        sum_quotients(rows, from.slope, from.at(row) - first + period - 1, period));
  }
};

}  // namespace mmm::detail
