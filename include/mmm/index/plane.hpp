// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Regions of the plane of two dimensions of a box: rectangles, or strips of them.
namespace mmm::detail {

//! The function `slope * row + offset`.
struct line {
  index slope = 0;
  index offset = 0;
  [[nodiscard]] constexpr index at(index row) const {
    return checked_add(checked_multiply(slope, row), offset);
  }
};

//! The points `first <= row < last`, `low.at(row) <= column < high.at(row)`; no row is empty.
struct band {
  index first = 0;
  index last = 0;
  line low;
  line high;
};

//! The bands of a region, in the order of their rows.
struct band_list {
  int count = 0;
  band entry[5];
};

//! Two dimensions of a box, and the points of the region in them: all, or the strip
//! `low <= row_step * row + column_step * column < high`.
struct plane_region {
  int row = -1;  //!< the dimensions' numbers; -1: the box has no plane
  int column = -1;
  bool strip = false;
  index row_step = 0;
  index column_step = 0;  //!< 1 or -1
  index low = 0;
  index high = 0;

  [[nodiscard]] constexpr bool exists() const { return row >= 0; }
  [[nodiscard]] constexpr bool has(int dimension) const {
    return dimension == row || dimension == column;
  }

  //! The region's bands, for dimensions with the values 0 … rows - 1 and 0 … columns - 1.
  template <class Bands = band_list>
  [[nodiscard]] constexpr Bands bands(index rows, index columns) const {
    Bands found;
    if (!strip) {
      if (rows > 0 && columns > 0) found.entry[found.count++] = {0, rows, {0, 0}, {0, columns}};
      return found;
    }
    index const slope = -row_step * column_step;
    line const low_side{slope, column_step > 0 ? low : 1 - high};
    line const high_side{slope, column_step > 0 ? high : 1 - low};
    if (high_side.offset <= low_side.offset) return found;
    // Between these rows each side is either an edge of the rectangle or one of the strip.
    index edge[6] = {0,
                     first_change(slope, low_side.offset),
                     first_change(slope, checked_subtract(low_side.offset, columns - 1)),
                     first_change(slope, high_side.offset),
                     first_change(slope, checked_subtract(high_side.offset, columns - 1)),
                     rows};
    for (index& e : edge) e = smaller(larger(e, 0), rows);
    for (int k = 1; k < 6; ++k)
      for (int l = k; l > 0 && edge[l] < edge[l - 1]; --l) {
        index const other = edge[l];
        edge[l] = edge[l - 1];
        edge[l - 1] = other;
      }
    for (int k = 0; k < 5; ++k) {
      if (edge[k] == edge[k + 1]) continue;
      band const b{edge[k], edge[k + 1], low_side.at(edge[k]) > 0 ? low_side : line{},
                   high_side.at(edge[k]) >= columns ? line{0, columns} : high_side};
      if (b.high.at(b.first) > b.low.at(b.first)) found.entry[found.count++] = b;
    }
    return found;
  }

 private:
  //! The first row at which the sign of `slope * row + offset - 1/2` is another one than far before
  //! it.
  [[nodiscard]] static constexpr index first_change(index slope, index offset) {
    if (slope == 0) return 0;
    if (slope > 0) return floor_divide(-offset, slope) + 1;
    return floor_divide(offset - 1, -slope) + 1;
  }
};

}  // namespace mmm::detail
