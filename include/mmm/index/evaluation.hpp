// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/key_pool.hpp>
#include <mmm/index/plane_cut.hpp>

//! Normal forms of index expressions over boxes (index/box.hpp): every operator on them.
namespace mmm::detail {

//! The algebra of normal forms: one evaluation of an expression over a box. It remembers the first
//! refinement needed, and notes everything that the answer depends on besides the expression.
template <int W>
class evaluation : public algebra<evaluation<W>> {
 public:
  using form = normal_form<W>;
  using element = form;
  using truth = lane_truth<W>;

  //! \param notes receives the numbers that the answer depends on besides the expression itself.
  constexpr explicit evaluation(warp_box<W> const& over, key_pool* notes = nullptr)
      : box_(over), notes_(notes), all_(lane_set<W>::first(over.lanes)) {}

  [[nodiscard]] constexpr refinement const& needed() const { return needed_; }
  //! True if only one comparison of linear functions is open, so that along every dimension the
  //! truth changes once.
  [[nodiscard]] constexpr bool monotone() const { return open_comparisons_ == 1 && !open_forms_; }
  //! The linear function that the open comparison compares with 0; only where monotone() holds.
  [[nodiscard]] constexpr linear_form const& open_difference() const { return open_difference_; }
  constexpr void note(index value) {
    if (notes_ != nullptr) notes_->add(value);
  }
  constexpr void note(index place, index value) {
    note(place);
    note(value);
  }

  //! Notes what the dimensions and lanes add to lane 0 at the first point.
  constexpr void note_shape(form const& x) {
    for (int d = 0; d < box_.dimensions; ++d)
      if (box_.extent[d] > 1) note(x.coefficient[d]);
    note(x.affine);
    if (x.affine)
      note(x.stride);
    else
      for (int t = 1; t < box_.lanes; ++t) note(x.lane[t] - x.lane[0]);
  }

  [[nodiscard]] constexpr form variable(mmm::variable const& v) const {
    return form(box_.slot[v.slot]);
  }
  [[nodiscard]] constexpr form number(index n) const { return form(n); }
  [[nodiscard]] constexpr form add(form const& x, form const& y) { return sum(x, y, 1); }
  [[nodiscard]] constexpr form subtract(form const& x, form const& y) { return sum(x, y, -1); }
  [[nodiscard]] constexpr form multiply(form const& x, form const& y) {
    if (is_number(box_, y)) return scaled(x, y.origin);
    if (is_number(box_, x)) return scaled(y, x.origin);
    auto const times = [](index a, index b) { return checked_multiply(a, b); };
    if (x.valid && y.valid && fixed(box_, x) && fixed(box_, y)) return lanewise(x, y, times);
    return undecided(x, y, times(x.origin, y.origin));
  }
  [[nodiscard]] constexpr form divide(form const& x, form const& y) {
    return quotient_or_remainder(x, y, true);
  }
  [[nodiscard]] constexpr form modulo(form const& x, form const& y) {
    return quotient_or_remainder(x, y, false);
  }
  [[nodiscard]] constexpr form bit_and(form const& x, form const& y) {
    if (is_number(box_, y)) return bit_and_constant(x, y.origin);
    if (is_number(box_, x)) return bit_and_constant(y, x.origin);
    auto const both = [](index a, index b) { return a & b; };
    if (!x.valid || !y.valid) return undecided(x, y, x.origin & y.origin);
    if (fixed(box_, x) && fixed(box_, y)) return lanewise(x, y, both);
    // The result has no bits above those of the smaller operand.
    value_bounds const xs = value_range(box_, x);
    value_bounds const ys = value_range(box_, y);
    if (xs.low < 0 || ys.low < 0) return undecided(x, y, x.origin & y.origin);
    index const limit = index{1} << smaller(bit_width(smaller(xs.high, ys.high)), 62);
    form const a = floor_parts(x, limit).remainder;
    form const b = floor_parts(y, limit).remainder;
    if (a.valid && b.valid && fixed(box_, a) && fixed(box_, b)) return lanewise(a, b, both);
    return undecided(a, b, x.origin & y.origin);
  }
  [[nodiscard]] constexpr form bit_or(form const& x, form const& y) {
    return with_sign(sum(sum(x, y, 1), bit_and(x, y), -1), x, y);
  }
  [[nodiscard]] constexpr form bit_xor(form const& x, form const& y) {
    return with_sign(sum(sum(x, y, 1), scaled(bit_and(x, y), 2), -1), x, y);
  }
  [[nodiscard]] constexpr form power_of_two(form const& y) const {
    return form(index{1} << shift(y));
  }
  [[nodiscard]] constexpr form shift_right(form const& x, form const& y) {
    return floor_parts(x, index{1} << shift(y)).quotient;
  }

  //! Evaluates one side only if the whole box chooses it.
  template <class Condition, class Then, class Else>
  [[nodiscard]] constexpr form select(Condition const& condition, Then const& a, Else const& b) {
    truth const p = condition.fold(*this);
    if (p.uniform && p.lanes == all_) return decided(true, a.fold(*this));
    if (p.uniform && p.lanes.empty()) return decided(false, b.fold(*this));
    form const x = a.fold(*this);
    form const y = b.fold(*this);
    return choose(p, x, y);
  }
  //! The one form if all lanes choose it; lane by lane if both forms move in the same way.
  [[nodiscard]] constexpr form choose(truth const& condition, form const& x, form const& y) {
    if (condition.uniform && condition.lanes == all_) return decided(true, x);
    if (condition.uniform && condition.lanes.empty()) return decided(false, y);
    if (!condition.uniform || !x.valid || !y.valid) {
      note(unknown_choice, condition.uniform);
      if (condition.uniform) note_truth(condition);
      note_operand(x);
      note_operand(y);
      note(x.origin);
      note(y.origin);
      open_forms_ = true;
      return one_of(box_, condition, x, y);
    }
    for (int d = 0; d < box_.dimensions; ++d)
      if (x.coefficient[d] != y.coefficient[d] && box_.extent[d] > 1) {
        note(mixed_choice);
        note_truth(condition);
        return undecided(x, y, condition.lanes.has(0) ? x.origin : y.origin);
      }
    require_lanes(box_, x, y);
    return by_lanes(box_, y, [&](int t) { return condition.lanes.has(t) ? x.at(t) : y.at(t); });
  }

  [[nodiscard]] constexpr truth everywhere() const {
    truth result;
    result.lanes = all_;
    return result;
  }
  [[nodiscard]] constexpr truth less(form const& x, form const& y) {
    return order(sum(sum(y, x, -1), form(1), -1), /*negative=*/false);
  }
  [[nodiscard]] constexpr truth equal(form const& x, form const& y) {
    form const difference = sum(y, x, -1);
    truth const below = order(difference);
    truth const above = order(scaled(difference, -1));
    truth result;
    result.uniform = below.uniform && above.uniform;
    result.lanes = below.lanes;
    result.lanes |= above.lanes;
    result.lanes = result.lanes.without_from(all_);
    result.rises = below.uniform ? !above.rises : !below.rises;
    result.equivalent = below.equivalent && above.equivalent;
    result.mixed = below.uniform != above.uniform && !(below.uniform ? below : above).lanes.empty();
    return result;
  }
  [[nodiscard]] constexpr truth negate(truth x) const {
    x.lanes = x.lanes.without_from(all_);
    x.sure = {};
    x.rises = !x.rises;
    return x;
  }
  template <connective Connective, class P, class Q>
  [[nodiscard]] constexpr truth connect(P const& left, Q const& right) {
    constexpr bool both = is(Connective, connective::both);
    lane_set<W> const decisive = both ? lane_set<W>{} : all_;
    truth const x = left.fold(*this);
    if (x.uniform && x.lanes == decisive) return x;  // decided without the right side
    truth y = right.fold(*this);
    if (y.uniform && y.lanes == decisive) return y;
    y.sure = y.always();
    both ? y.sure &= x.always() : y.sure |= x.always();
    y.mixed = y.mixed || x.mixed;
    y.equivalent = y.equivalent && x.equivalent;
    // The open side is noted: equal comparisons may be on different sides, one under a negation.
    if (!x.uniform || !y.uniform) note(x.uniform ? left_uniform : y.uniform ? right_uniform : open);
    if (x.uniform != y.uniform) {
      truth const& uniform = x.uniform ? x : y;
      note_truth(uniform);
      y.mixed = y.mixed || uniform.lanes != (both ? all_ : lane_set<W>{});
    }
    y.rises = x.uniform ? y.rises : x.rises;
    y.uniform = y.uniform && x.uniform;
    both ? y.lanes &= x.lanes : y.lanes |= x.lanes;
    return y;
  }

  //! Notes the lanes of a uniform predicate.
  constexpr void note_truth(truth const& x) {
    for (auto const word : x.lanes.word) note(static_cast<index>(word));
  }

 private:
  warp_box<W> const& box_;
  refinement needed_;
  key_pool* notes_;
  lane_set<W> all_;
  linear_form open_difference_;
  int open_comparisons_ = 0;
  bool open_forms_ = false;

  struct parts {
    form quotient;
    form remainder;
  };

  constexpr void need(refinement const& r) {
    if (needed_.kind == refinement::nothing) needed_ = r;
  }
  //! Notes an operand of an operation without a normal form: the cost depends on its shape all the
  //! same.
  constexpr void note_operand(form const& x) {
    bool const shaped = x.valid || x.modulus != 0;
    note(shaped);
    if (shaped) note_shape(x);
  }
  [[nodiscard]] constexpr form unknown(index origin, value_bounds const& values) {
    form result(origin);
    result.valid = false;
    result.values = values;
    open_forms_ = true;
    return result;
  }

  //! The side that the whole box chooses.
  [[nodiscard]] constexpr form decided(bool first, form x) {
    if (!x.valid) note(decided_choice, first);
    return x;
  }

  [[nodiscard]] constexpr form sum(form x, form const& y, index sign) {
    index const origin =
        sign > 0 ? checked_add(x.origin, y.origin) : checked_subtract(x.origin, y.origin);
    value_bounds values;
    if (!x.valid || !y.valid) values = sum_bounds(bounds_of(box_, x), bounds_of(box_, y), sign);
    if ((!x.valid && x.modulus == 0) || (!y.valid && y.modulus == 0)) {
      note_operand(x);
      note_operand(y);
      return unknown(origin, values);
    }
    x.values = values;
    x.in_block = sign > 0 && (x.valid ? stays_in_block(box_, y, x) : stays_in_block(box_, x, y));
    x.valid = x.valid && y.valid;
    x.modulus = gcd(x.modulus, y.modulus);
    x.together = x.together && y.together;
    bool const affine = x.affine && y.affine;
    if (!affine) {
      require_lanes(box_, x, y);
      for (int t = 0; t < box_.lanes; ++t)
        x.lane[t] = sign > 0 ? checked_add(x.at(t), y.at(t)) : checked_subtract(x.at(t), y.at(t));
    }
    x.affine = affine;
    x.origin = origin;
    x.stride = sign > 0 ? checked_add(x.stride, y.stride) : checked_subtract(x.stride, y.stride);
    for (int d = 0; d < box_.dimensions; ++d)
      if (y.coefficient[d] != 0)
        x.coefficient[d] = sign > 0 ? checked_add(x.coefficient[d], y.coefficient[d])
                                    : checked_subtract(x.coefficient[d], y.coefficient[d]);
    return x;
  }

  //! The result of a bit operation: at least 0 where both operands are.
  [[nodiscard]] constexpr form with_sign(form result, form const& x, form const& y) const {
    if (!result.valid)
      result.values.low = larger(result.values.low, natural_bounds(box_, x, y).low);
    return result;
  }

  [[nodiscard]] constexpr form scaled(form x, index factor) {
    if (!x.valid) note(scaled_unknown, factor);
    if (!x.valid && x.modulus == 0)
      return unknown(checked_multiply(x.origin, factor), scaled_bounds(x.values, factor));
    x.values = scaled_bounds(x.values, factor);
    x.in_block = x.in_block && factor > 0;
    x.modulus = checked_multiply(x.modulus, magnitude(factor));
    if (!x.affine)
      for (int t = 0; t < box_.lanes; ++t) x.lane[t] = checked_multiply(x.lane[t], factor);
    x.origin = checked_multiply(x.origin, factor);
    x.stride = checked_multiply(x.stride, factor);
    for (int d = 0; d < box_.dimensions; ++d)
      if (x.coefficient[d] != 0) x.coefficient[d] = checked_multiply(x.coefficient[d], factor);
    return x;
  }

  //! Combines both operands lane by lane, `combine(x, y)`; no dimension may move either.
  template <class Combine>
  [[nodiscard]] constexpr form lanewise(form x, form const& y, Combine combine) {
    require_lanes(box_, x, y);
    x = by_lanes(box_, x, [&](int t) { return combine(x.at(t), y.at(t)); });
    for (int d = 0; d < box_.dimensions; ++d) x.coefficient[d] = 0;
    return x;
  }

  //! The result of an operation that needs fixed operands and has others: a cut is needed, and
  //! nothing is known of the value.
  [[nodiscard]] constexpr form undecided(form const& x, form const& y, index origin) {
    if (x.valid && y.valid) need(widest_cut(box_, fixed(box_, y) ? x : y));
    note(varying_operands);
    note_operand(x);
    note_operand(y);
    note(x.origin);
    note(y.origin);
    return unknown(origin, natural_bounds(box_, x, y));
  }

  //! The bits of a shift, which must be a number.
  [[nodiscard]] constexpr index shift(form const& y) const {
    if (is_number(box_, y)) return checked_arithmetic::shift(y.origin);
    reject("a shift in an index expression", y.origin, "a constant from 0 to 62");
  }

  //! Quotient and remainder with the remainder in [0, m), for m > 0.
  [[nodiscard]] constexpr parts floor_parts(form const& x, index m) {
    parts result{form(floor_divide(x.origin, m)), form(floor_modulo(x.origin, m))};
    if (!x.valid) {
      note(unknown_dividend, m);
      note_operand(x);
      note(result.remainder.origin);
      result.quotient.valid = result.remainder.valid = false;
      result.quotient.values = quotients(x.values, m);
      result.remainder.values = {0, m - 1};
      return result;
    }
    if (m == 1) return {x, form(0)};
    form& q = result.quotient;
    form& r = result.remainder;
    for (int d = 0; d < box_.dimensions; ++d)
      if (x.coefficient[d] != 0)
        (x.coefficient[d] % m == 0 ? q : r).coefficient[d] =
            x.coefficient[d] % m == 0 ? x.coefficient[d] / m : x.coefficient[d];
    value_bounds const reach = dimension_range(box_, r);
    if (x.affine && x.stride % m == 0) {
      q.stride = x.stride / m;
      index const low = floor_divide(checked_add(x.origin, reach.low), m);
      if (low == floor_divide(checked_add(x.origin, reach.high), m)) {
        q.origin = low;
        r.origin = x.origin - low * m;
        return result;
      }
    } else if (x.affine) {
      value_bounds const lanes = lane_range(box_, x);
      index const low = floor_divide(checked_add(lanes.low, reach.low), m);
      if (low == floor_divide(checked_add(lanes.high, reach.high), m)) {
        q.origin = low;
        r.origin = x.origin - low * m;
        r.stride = x.stride;
        return result;
      }
    }
    // Each lane has a quotient of its own; it must not change within the box.
    bool same = true;
    for (int t = 0; t < box_.lanes; ++t) {
      index const low = floor_divide(checked_add(x.at(t), reach.low), m);
      same = same && low == floor_divide(checked_add(x.at(t), reach.high), m);
      q.lane[t] = low;
      r.lane[t] = x.at(t) - low * m;
    }
    if (same) {
      q.affine = r.affine = false;
      q.stride = r.stride = 0;
      q.origin = q.lane[0];
      r.origin = r.lane[0];
      return result;
    }
    note(varying_quotient, m);
    note(floor_modulo(x.origin, m));
    note_shape(x);
    need(multiple_cut(box_, r, m));
    if (box_.plane.exists()) need(plane_cut(box_, x, r, m));
    q = unknown(floor_divide(x.origin, m), quotients(bounds_of(box_, x), m));
    // The remainder is the dividend up to a multiple of m, the same one for all lanes if no
    // multiple of m can come between them: the dimensions move in steps of g, so boundaries lie on
    // multiples of gcd(g, m).
    index const step = common_step(box_, r, m);
    value_bounds const lanes = lane_range(box_, x);
    r.valid = false;
    r.values = {0, m - 1};
    r.modulus = m;
    r.in_block = true;
    r.together = floor_divide(lanes.low, step) == floor_divide(lanes.high, step);
    if (!r.together) need(finest_separation(box_, r));
    need(widest_cut(box_, r));
    // a whole number, the same one for all lanes: so are its multiples
    q.modulus = r.together ? 1 : 0;
    r.affine = x.affine;
    r.stride = x.stride;
    r.origin = floor_modulo(x.origin, m);
    return result;
  }

  //! C++'s `/` and `%`: towards zero.
  [[nodiscard]] constexpr form quotient_or_remainder(form const& x, form const& y, bool quotient) {
    index const first = quotient ? checked_arithmetic::divide(x.origin, y.origin)
                                 : checked_arithmetic::modulo(x.origin, y.origin);
    if (!is_number(box_, y)) {
      if (x.valid && y.valid && fixed(box_, x) && fixed(box_, y)) {
        return lanewise(x, y, [quotient](index a, index b) {
          return quotient ? checked_arithmetic::divide(a, b) : checked_arithmetic::modulo(a, b);
        });
      }
      return undecided(x, y, first);
    }
    index const m = y.origin;
    if (m == INT64_MIN) reject_overflow("the absolute value of the divisor -9223372036854775808");
    index const size = magnitude(m);
    index const sign = m < 0 && quotient ? -1 : 1;
    if (x.valid) {
      value_bounds const values = value_range(box_, x);
      if (values.low < 0 && values.high > 0) {
        truth const below = order(x);
        if (below.uniform) {  // some lanes below zero, all over the box
          parts const up = floor_parts(x, size);
          parts const down = floor_parts(scaled(x, -1), size);
          return scaled(choose(below, scaled(quotient ? down.quotient : down.remainder, -1),
                               quotient ? up.quotient : up.remainder),
                        sign);
        }
        note(varying_sign, m);
        note(floor_modulo(x.origin, size));
        return unknown(first, unbounded);
      }
      if (values.low < 0) {
        parts const down = floor_parts(scaled(x, -1), size);
        return scaled(quotient ? down.quotient : down.remainder, -sign);
      }
    } else if (x.values.low < 0) {  // the result also depends on where it changes its sign
      note(unknown_sign, m);
      note_operand(x);
      note(x.origin);
      return unknown(first, unbounded);
    }
    parts const up = floor_parts(x, size);
    return scaled(quotient ? up.quotient : up.remainder, sign);
  }

  //! x & mask for a constant mask: one remainder for each run of ones.
  [[nodiscard]] constexpr form bit_and_constant(form const& x, index mask) {
    form result(0);
    auto bits = static_cast<std::uint64_t>(mask);
    for (int low = 0; low < 64 && (bits >> low) != 0;) {
      if (((bits >> low) & 1U) == 0) {
        ++low;
        continue;
      }
      int high = low;
      while (high < 64 && ((bits >> high) & 1U) != 0) ++high;
      form const shifted = low == 0 ? x : floor_parts(x, index{1} << low).quotient;
      form const run =
          high >= 63 ? shifted : floor_parts(shifted, index{1} << (high - low)).remainder;
      result = sum(result, low == 0 ? run : scaled(run, index{1} << low), 1);
      low = high;
    }
    return result;
  }

  //! The lanes that are below zero (or, negative = false, at least zero).
  [[nodiscard]] constexpr truth order(form const& x, bool negative = true) {
    truth result;
    if (!x.valid) {
      if (x.values.low >= 0 || x.values.high < 0) {
        if ((x.values.high < 0) == negative) result.lanes = all_;
        return result;
      }
      note(unknown_order);
      note_operand(x);
      note(x.origin);
      result.uniform = false;
      result.equivalent = same_for_lanes(box_, x);
      if ((x.origin < 0) == negative) result.lanes.insert(0);
      return result;
    }
    value_bounds const reach = dimension_range(box_, x);
    value_bounds const lanes = lane_range(box_, x);
    bool const above = checked_add(lanes.low, reach.low) >= 0;
    if (above || checked_add(lanes.high, reach.high) < 0) {
      if (above != negative) result.lanes = all_;
      return result;
    }
    result.equivalent = lanes.low == lanes.high;
    for (int t = 0; t < box_.lanes; ++t) {
      index const value = x.at(t);
      result.uniform = result.uniform && (value + reach.low < 0) == (value + reach.high < 0);
      if (negative ? value + reach.high < 0 : value + reach.low >= 0) result.sure.insert(t);
      if ((value + (result.uniform ? reach.low : 0) < 0) == negative) result.lanes.insert(t);
    }
    if (!result.uniform) {
      result.rises = !negative;
      open_difference_ = x;
      open_forms_ = open_forms_ || !x.affine;
      ++open_comparisons_;
      note(varying_order, x.origin);
      note_shape(x);
      need(box_.plane.exists() ? plane_cut(box_, x, x, 0) : order_cut(box_, x, reach, lanes));
    }
    return result;
  }
};

}  // namespace mmm::detail
