// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>

#include <initializer_list>

//! Cuts of a box that has a plane, along the lines where something changes.
namespace mmm::detail {

//! A value of `sum of coefficient * dimension` at which a lane of `x` reaches 0 or, if `divisor` is
//! not 0, its next multiple: the one within the box that is nearest to the middle. `inside.low` if
//! there is none.
template <int W>
[[nodiscard]] constexpr index middle_change(warp_box<W> const& box, normal_form<W> const& x,
                                            index divisor, value_bounds const& inside) {
  index const middle = inside.low + (inside.high - inside.low) / 2;
  index nearest = inside.low;
  for (int t = 0; t < box.lanes; ++t) {
    index const lane = x.at(t);
    index const level = divisor == 0 ? 0 : (floor_divide(inside.low + lane, divisor) + 1) * divisor;
    index const change = level - lane;
    if (change <= inside.low || change > inside.high) continue;
    if (nearest == inside.low || magnitude(change - middle) < magnitude(nearest - middle))
      nearest = change;
  }
  return nearest;
}

//! The first coordinate at which the truth of `c * coordinate + least >= bound` changes; `c` is not
//! 0.
[[nodiscard]] constexpr index turning_value(index c, index least, index bound) {
  return c > 0 ? floor_divide(bound - least - 1, c) + 1 : floor_divide(least - bound, -c) + 1;
}

//! The cut of a box with a plane after which more lanes of `lanes`, moved by the dimensions of `x`,
//! have one sign (divisor = 0), or one quotient, throughout: along the line between two lanes'
//! changes.
template <int W>
[[nodiscard]] constexpr refinement plane_cut(warp_box<W> const& box, normal_form<W> const& lanes,
                                             normal_form<W> const& x, index divisor) {
  plane_region const& plane = box.plane;
  int moving = 0;
  int dimension = -1;
  for (int d = 0; d < box.dimensions; ++d) {
    if (x.coefficient[d] == 0 || box.extent[d] == 1) continue;
    ++moving;
    if (dimension < 0 || plane.has(dimension)) dimension = d;  // others first
  }
  if (moving == 0) return {};
  if (moving > 1 && !plane.has(dimension))
    return {refinement::cut, dimension, (box.extent[dimension] + 1) / 2};
  value_bounds const inside = dimension_range(box, x);
  index const change = middle_change(box, lanes, divisor, inside);
  if (change == inside.low) return {};
  if (moving == 1)
    return {refinement::cut, dimension, turning_value(x.coefficient[dimension], 0, change)};
  index const row = x.coefficient[plane.row];
  index const column = x.coefficient[plane.column];
  index const columns = checked_multiply(column, box.extent[plane.column] - 1);
  if (magnitude(row) >= magnitude(columns))  // one value in each row, but for the row of the change
    for (index const least : {smaller(columns, 0), larger(columns, 0)}) {
      index const turn = turning_value(row, least, change);
      if (turn > 0 && turn < box.extent[plane.row]) return {refinement::cut, plane.row, turn};
    }
  index const common = gcd(row, column);
  refinement found{refinement::half_plane, plane.row, floor_divide(change - 1, common) + 1,
                   row / common, column / common};
  if (plane.strip && found.row_step == -plane.row_step && found.column_step == -plane.column_step) {
    found.value = 1 - found.value;
    found.row_step = plane.row_step;
    found.column_step = plane.column_step;
  }
  bool const along =
      !plane.strip || (found.row_step == plane.row_step && found.column_step == plane.column_step);
  if (along && magnitude(found.column_step) == 1) return found;
  return widest_cut(box, x);
}

}  // namespace mmm::detail
