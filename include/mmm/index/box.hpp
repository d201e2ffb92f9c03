// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/lane_set.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/plane.hpp>
#include <mmm/index/value_bounds.hpp>

#include <initializer_list>

//! The algebra behind exact costs: index expressions over many warps at once.
//!
//! A *box* is a set of warps, one for every point of a product of ranges, its dimensions: chunks,
//! warps of a chunk, DMMs, loop counters. Over a box, an expression is in *normal form* if every
//! lane's value is a linear function of the point's coordinates with the same coefficients for all
//! lanes: `value(point, lane) = sum of coefficient * coordinate + offset(lane)`. `+`, `-` and `*`
//! by constants keep the form. `/` and `%` keep it once every dimension has been split so that the
//! multiples of the divisor have dimensions of their own and nothing else crosses one: a coordinate
//! `c` becomes `r * c1 + c0` with the order `r` of `c`'s coefficient modulo the divisor, which is
//! the expression's period along `c`; the increment per period is the coefficient that `c1` gets.
//! Bit operations are sums of such quotients and remainders. Where a dimension cannot be split so,
//! the box is cut in two. An evaluation says which of these it needs (`refinement`); the caller
//! does it and asks again. Nothing is ever approximated. This header has boxes and forms;
//! index/evaluation.hpp has the operators on them.
namespace mmm::detail {

//! The most dimensions a box may have.
inline constexpr int max_dimensions = 14;

//! The change to a box that an expression needs before it has a normal form over it.
struct refinement {
  //! split: a dimension into two; cut: the box into two; separate: best into a box for each value,
  //! though a cut will do; half_plane: the box along a line of its plane. These are numbers,
  //! because compilers search for an overloaded `==` wherever enumerations are compared.
  static constexpr int nothing = 0;
  static constexpr int split = 1;
  static constexpr int cut = 2;
  static constexpr int separate = 3;
  static constexpr int half_plane = 4;
  int kind = nothing;
  int dimension = 0;
  index value = 0;  //!< split: the radix; otherwise the first value of the second part
  //! half_plane: the line `row_step * row + column_step * column == value` in the box's plane
  index row_step = 0;
  index column_step = 0;
};

//! The places of an evaluation that note numbers. Each begins with a number of its own, so that no
//! two different evaluations note the same sequence. All are larger than a box's number of
//! dimensions, which is noted first.
enum noted_place : index {
  left_uniform = 100,
  right_uniform,
  open,
  scaled_unknown,
  decided_choice,
  unknown_choice,
  mixed_choice,
  varying_operands,
  unknown_dividend,
  varying_quotient,
  varying_sign,
  unknown_sign,
  unknown_order,
  varying_order
};

//! The values of a variable over a box: `origin + stride * lane + sum of coefficient * coordinate`.
struct linear_form {
  index origin = 0;  //!< lane 0 at the box's first point
  index stride = 0;
  index coefficient[max_dimensions] = {};
};

//! The values of an expression over a box. `W` lanes at most.
template <int W>
struct normal_form : linear_form {
  bool valid = true;     //!< false: `origin` is right, the rest is not, unless there is a modulus
  index modulus = 0;     //!< not valid, but right modulo this, if it is not 0
  bool together = true;  //!< the error, a multiple of `modulus`, is the same for a warp's lanes
  //! not valid, but all lanes of a warp are in one aligned block of `modulus`
  bool in_block = false;
  value_bounds values;  //!< bounds of a form that is not valid; see bounded()
  bool affine = true;   //!< `stride` holds; otherwise `lane` does
  index lane[W] = {};   //!< lane t at the box's first point, if not affine

  constexpr normal_form() = default;
  constexpr explicit normal_form(index number) { origin = number; }
  constexpr explicit normal_form(linear_form const& variable) : linear_form(variable) {}
  [[nodiscard]] constexpr index at(int t) const {
    return affine ? origin + (t == 0 ? 0 : checked_multiply(stride, t)) : lane[t];
  }
};

//! The lanes that satisfy a predicate at every point of a box. If they differ between points,
//! `uniform` is false, and lane 0 is right at the box's first point.
template <int W>
struct lane_truth {
  bool uniform = true;
  //! not uniform, only one comparison open: more lanes where the compared difference is larger
  bool rises = true;
  bool mixed = false;      //!< not uniform, and another condition leaves out some of the lanes
  bool equivalent = true;  //!< at each point of the box the same for all lanes
  lane_set<W> lanes;
  lane_set<W> sure;  //!< not uniform, but these lanes satisfy it all over the box

  [[nodiscard]] constexpr lane_set<W> const& always() const { return uniform ? lanes : sure; }
};

//! A box, and the normal forms of the variables over it.
template <int W>
struct warp_box {
  int dimensions = 0;
  int lanes = W;                      //!< active lanes: a partial warp has fewer
  int loops = 0;                      //!< loop variables in use
  index extent[max_dimensions] = {};  //!< each 1 or more
  //! the dimension's values are different rounds (chunks, loops), not parts of one
  bool rounds[max_dimensions] = {};
  linear_form slot[slot_count] = {};
  plane_region plane;  //!< the part of the box that counts, if not the whole

  //! Adds a dimension of `n` values; returns its number. std::length_error if there are too many.
  constexpr int add_dimension(index n, bool is_rounds) {
    if (dimensions == max_dimensions)
      reject_length("dimensions of an index expression's closed form", dimensions + 1,
                    max_dimensions);
    extent[dimensions] = n;
    rounds[dimensions] = is_rounds;
    return dimensions++;
  }

  //! The number of warps in the box.
  [[nodiscard]] constexpr index volume() const {
    index product = 1;
    for (int d = 0; d < dimensions; ++d) product = checked_multiply(product, extent[d]);
    return product;
  }

  //! The number of rounds that the box is spread over.
  [[nodiscard]] constexpr index round_volume() const {
    index product = 1;
    for (int d = 0; d < dimensions; ++d)
      if (rounds[d]) product = checked_multiply(product, extent[d]);
    return product;
  }

  //! Splits a dimension: its coordinate becomes `radix * (new one) + (old one)`, for a radix that
  //! divides its extent.
  constexpr void split(int dimension, index radix) {
    int const upper = add_dimension(extent[dimension] / radix, rounds[dimension]);
    extent[dimension] = radix;
    for (auto& form : slot)
      if (form.coefficient[dimension] != 0)
        form.coefficient[upper] = checked_multiply(form.coefficient[dimension], radix);
  }

  //! Keeps the values [first, last) of a dimension.
  constexpr void restrict_to(int dimension, index first, index last) {
    extent[dimension] = last - first;
    if (first == 0) return;
    for (auto& form : slot) {
      if (form.coefficient[dimension] == 0) continue;
      index const shift = checked_multiply(form.coefficient[dimension], first);
      form.origin = checked_add(form.origin, shift);
    }
  }

  //! Restricts the box to one lane.
  constexpr void restrict_to_lane(int lane) {
    for (auto& form : slot)
      form.origin = checked_add(form.origin, checked_multiply(form.stride, lane));
    lanes = 1;
  }
};

//! The bounds of the sums that the dimensions of a box's plane add to a form, over its strip.
template <int W>
[[nodiscard]] constexpr value_bounds plane_range(warp_box<W> const& box, linear_form const& x) {
  value_bounds result;
  band_list const bands = box.plane.bands(box.extent[box.plane.row], box.extent[box.plane.column]);
  for (int k = 0; k < bands.count; ++k) {
    band const& b = bands.entry[k];
    for (index const row : {b.first, b.last - 1})
      for (index const column : {b.low.at(row), b.high.at(row) - 1}) {
        index const sum = checked_add(checked_multiply(x.coefficient[box.plane.row], row),
                                      checked_multiply(x.coefficient[box.plane.column], column));
        bool const first = k == 0 && row == b.first && column == b.low.at(row);
        result = {first ? sum : smaller(result.low, sum), first ? sum : larger(result.high, sum)};
      }
  }
  return result;
}

//! The bounds of the sums that the dimensions of a box add to a form.
template <int W>
[[nodiscard]] constexpr value_bounds dimension_range(warp_box<W> const& box,
                                                     normal_form<W> const& x) {
  value_bounds result;
  if (box.plane.strip) result = plane_range(box, x);
  for (int d = 0; d < box.dimensions; ++d) {
    if (x.coefficient[d] == 0 || (box.plane.strip && box.plane.has(d))) continue;
    index const reach = checked_multiply(x.coefficient[d], box.extent[d] - 1);
    (reach < 0 ? result.low : result.high) =
        checked_add(reach < 0 ? result.low : result.high, reach);
  }
  return result;
}

//! The bounds of the lanes' values at a box's first point.
template <int W>
[[nodiscard]] constexpr value_bounds lane_range(warp_box<W> const& box, normal_form<W> const& x) {
  if (x.affine) {
    index const last = checked_add(x.origin, checked_multiply(x.stride, box.lanes - 1));
    return {smaller(x.origin, last), larger(x.origin, last)};
  }
  value_bounds result{x.lane[0], x.lane[0]};
  for (int t = 1; t < box.lanes; ++t) {
    result.low = smaller(result.low, x.lane[t]);
    result.high = larger(result.high, x.lane[t]);
  }
  return result;
}

//! The bounds of the values of all lanes at all points.
template <int W>
[[nodiscard]] constexpr value_bounds value_range(warp_box<W> const& box, normal_form<W> const& x) {
  value_bounds const dimensions = dimension_range(box, x);
  value_bounds const lanes = lane_range(box, x);
  return {checked_add(dimensions.low, lanes.low), checked_add(dimensions.high, lanes.high)};
}

//! The known bounds of the values of all lanes at all points; see bounded().
template <int W>
[[nodiscard]] constexpr value_bounds bounds_of(warp_box<W> const& box, normal_form<W> const& x) {
  if (!x.valid) return x.values;
  value_bounds const values = value_range(box, x);
  return bounded(values.low, values.high);
}

//! The bounds of a value that is at least 0 where `x` and `y` are.
template <int W>
[[nodiscard]] constexpr value_bounds natural_bounds(warp_box<W> const& box, normal_form<W> const& x,
                                                    normal_form<W> const& y) {
  return bounds_of(box, x).low >= 0 && bounds_of(box, y).low >= 0 ? value_bounds{0, INT64_MAX}
                                                                  : unbounded;
}

//! Refuses forms whose lanes leave 64 bits.
template <int W>
constexpr void require_lanes(warp_box<W> const& box, normal_form<W> const& x,
                             normal_form<W> const& y) {
  if (x.affine) static_cast<void>(lane_range(box, x));
  if (y.affine) static_cast<void>(lane_range(box, y));
}

//! No dimension changes the value (lanes may).
template <int W>
[[nodiscard]] constexpr bool fixed(warp_box<W> const& box, normal_form<W> const& x) {
  for (int d = 0; d < box.dimensions; ++d)
    if (x.coefficient[d] != 0 && box.extent[d] > 1) return false;
  return true;
}

//! Neither dimensions nor lanes change the value.
template <int W>
[[nodiscard]] constexpr bool is_number(warp_box<W> const& box, normal_form<W> const& x) {
  if (!x.valid || !fixed(box, x)) return false;
  value_bounds const lanes = lane_range(box, x);
  return lanes.low == lanes.high;
}

//! The greatest common divisor of a number and of all steps by which dimensions move a form.
template <int W>
[[nodiscard]] constexpr index common_step(warp_box<W> const& box, normal_form<W> const& x,
                                          index number) {
  for (int d = 0; d < box.dimensions; ++d)
    if (box.extent[d] > 1) number = gcd(number, x.coefficient[d]);
  return number;
}

//! The lanes of a warp are in one block of `x`, and in another one with `y` added to them.
template <int W>
[[nodiscard]] constexpr bool stays_in_block(warp_box<W> const& box, normal_form<W> const& x,
                                            normal_form<W> const& y) {
  return x.in_block && y.valid && y.affine && y.stride == 0 && y.origin % x.modulus == 0 &&
         common_step(box, y, x.modulus) == x.modulus;
}

//! The split or cut of a dimension after which one that moves `x` moves it by multiples of m.
template <int W>
[[nodiscard]] constexpr refinement multiple_cut(warp_box<W> const& box, normal_form<W> const& x,
                                                index m) {
  for (int d = 0; d < box.dimensions; ++d) {
    if (x.coefficient[d] == 0 || (box.plane.exists() && box.plane.has(d))) continue;
    index const order = m / gcd(x.coefficient[d], m);
    if (order >= box.extent[d]) continue;
    index const whole = box.extent[d] / order * order;
    return whole == box.extent[d] ? refinement{refinement::split, d, order}
                                  : refinement{refinement::cut, d, whole};
  }
  return {};
}

//! A cut of the dimension that moves a value most, at a power of two.
template <int W>
[[nodiscard]] constexpr refinement widest_cut(warp_box<W> const& box, normal_form<W> const& x) {
  int widest = -1;
  index reach = 0;
  for (int d = 0; d < box.dimensions; ++d) {
    if (x.coefficient[d] == 0 || box.extent[d] == 1) continue;
    index const r = checked_multiply(magnitude(x.coefficient[d]), box.extent[d] - 1);
    if (r > reach) {
      reach = r;
      widest = d;
    }
  }
  if (widest < 0) return {};
  return {refinement::cut, widest, index{1} << (bit_width(box.extent[widest] - 1) - 1)};
}

//! All lanes of a warp have the same value, at each point of the box.
template <int W>
[[nodiscard]] constexpr bool same_for_lanes(warp_box<W> const& box, normal_form<W> const& x) {
  if (!x.together || (!x.valid && x.modulus == 0)) return false;
  value_bounds const lanes = lane_range(box, x);
  return lanes.low == lanes.high;
}

//! A form whose lanes have the values `value(t)`, and that moves as `x` does.
template <int W, class Value>
[[nodiscard]] constexpr normal_form<W> by_lanes(warp_box<W> const& box, normal_form<W> const& x,
                                                Value value) {
  normal_form<W> result = x;
  for (int t = 0; t < box.lanes; ++t) result.lane[t] = value(t);
  result.affine = false;
  result.origin = result.lane[0];
  result.stride = 0;
  return result;
}

//! A form for one of two, where it is not known which: right modulo their differences.
template <int W>
[[nodiscard]] constexpr normal_form<W> one_of(warp_box<W> const& box,
                                              lane_truth<W> const& condition,
                                              normal_form<W> const& x, normal_form<W> const& y) {
  normal_form<W> const& first = condition.lanes.has(0) ? x : y;
  normal_form<W> result(first.origin);
  result.valid = false;
  value_bounds const xs = bounds_of(box, x);
  value_bounds const ys = bounds_of(box, y);
  result.values = {smaller(xs.low, ys.low), larger(xs.high, ys.high)};
  if ((!x.valid && x.modulus == 0) || (!y.valid && y.modulus == 0)) return result;
  index common = common_step(box, x, common_step(box, y, gcd(x.modulus, y.modulus)));
  bool shifted_equally = true;
  for (int t = 0; t < box.lanes; ++t) {
    index const a = x.at(t);
    index const b = y.at(t);
    if (magnitude(a) > INT64_MAX / 4 || magnitude(b) > INT64_MAX / 4) return result;
    shifted_equally = shifted_equally && a - b == x.at(0) - y.at(0);
    common = gcd(common, a - b);
  }
  if (common == 0) return x;  // they are equal
  result.modulus = common;
  result.together = condition.equivalent && shifted_equally && x.together && y.together;
  result.affine = first.affine;
  result.stride = first.stride;
  for (int t = 0; !first.affine && t < box.lanes; ++t) result.lane[t] = first.lane[t];
  return result;
}

//! Separates the coordinates of the dimension that moves a value least, where these are few: each
//! cuts warps differently.
template <int W>
[[nodiscard]] constexpr refinement finest_separation(warp_box<W> const& box,
                                                     normal_form<W> const& x) {
  int finest = -1;
  for (int d = 0; d < box.dimensions; ++d) {
    if (x.coefficient[d] == 0 || box.extent[d] == 1) continue;
    if (finest < 0 || magnitude(x.coefficient[d]) < magnitude(x.coefficient[finest])) finest = d;
  }
  if (finest < 0 || box.extent[finest] > W) return {};
  return {refinement::separate, finest, (box.extent[finest] + 1) / 2};
}

//! A cut of a dimension after which the sign is known for at least half of its coordinates, if
//! there is one; otherwise the cut of the widest dimension.
template <int W>
[[nodiscard]] constexpr refinement order_cut(warp_box<W> const& box, normal_form<W> const& x,
                                             value_bounds const& reach, value_bounds const& lanes) {
  for (int d = 0; d < box.dimensions; ++d) {
    index const c = x.coefficient[d];
    index const extent = box.extent[d];
    if (c == 0 || extent == 1) continue;
    index const own = c * (extent - 1);
    index const low = lanes.low + reach.low - (own < 0 ? own : 0);     // the others' least
    index const high = lanes.high + reach.high - (own > 0 ? own : 0);  // the others' largest
    // The value at k lies in [low + c k, high + c k]: its sign is known before `first` and from
    // `last` on.
    index const first = c > 0 ? floor_divide(-high - 1, c) + 1 : floor_divide(low, -c) + 1;
    index const last = c > 0 ? floor_divide(-low - 1, c) + 1 : floor_divide(high, -c) + 1;
    if (first < extent && first * 2 >= extent) return {refinement::cut, d, first};
    if (last > 0 && last * 2 <= extent) return {refinement::cut, d, last};
  }
  return widest_cut(box, x);
}

}  // namespace mmm::detail
