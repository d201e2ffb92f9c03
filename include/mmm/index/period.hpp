// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>

//! The motion of an index expression along the items, that is its period and its increment per
//! period, read off its syntax tree.
namespace mmm {

//! The motion of an expression. Law: if `periodic`, then `e(i + period) == e(i) + increment` for
//! every item `i >= 0` (as long as nothing overflows). `period >= 1`; it need not be the least one.
//! Not periodic: period and increment are 0.
struct motion {
  index period = 0;
  index increment = 0;
  bool periodic = false;
  friend constexpr bool operator==(motion const&, motion const&) = default;
};

namespace detail {

//! A motion and bounds of the values over all items (and loops and DMMs), where `unbounded` stands
//! for infinity.
struct bounded_motion {
  static constexpr index unbounded = INT64_MAX;
  motion moves;
  index low = -unbounded;
  index high = unbounded;

  [[nodiscard]] constexpr bool steady() const { return moves.periodic && moves.increment == 0; }
  [[nodiscard]] constexpr bool number() const { return low == high; }
};

//! The largest magnitude that motions and bounds are computed with; beyond it, nothing is claimed.
inline constexpr index largest_moved = INT64_MAX / 4;

[[nodiscard]] constexpr bool within_reach(index x) {
  return x <= largest_moved && x >= -largest_moved;
}
[[nodiscard]] constexpr bool product_within_reach(index a, index b) {
  if (!within_reach(a) || !within_reach(b)) return false;
  if (a == 0 || b == 0) return true;
  return (a < 0 ? -a : a) <= largest_moved / (b < 0 ? -b : b);
}
//! The motion with this period and increment, unless a number is out of reach.
[[nodiscard]] constexpr motion moving(index period, index increment) {
  if (period < 1 || !within_reach(period) || !within_reach(increment)) return {};
  return {period, increment, true};
}

//! A motion over `times` of its periods.
[[nodiscard]] constexpr motion repeated(motion const& m, index times) {
  if (!m.periodic || !product_within_reach(m.period, times) ||
      !product_within_reach(m.increment, times))
    return {};
  return moving(m.period * times, m.increment * times);
}

//! A motion over the least multiple of its period after which it has moved by a multiple of
//! `m > 0`.
[[nodiscard]] constexpr motion aligned(motion const& x, index m) {
  return x.periodic ? repeated(x, m / gcd(x.increment, m)) : motion{};
}

//! Two motions over one common period; neither is periodic if there is none within reach.
struct motion_pair {
  motion left;
  motion right;
  [[nodiscard]] constexpr bool periodic() const { return left.periodic && right.periodic; }
  [[nodiscard]] constexpr bool parallel() const {
    return periodic() && left.increment == right.increment;
  }
};
[[nodiscard]] constexpr motion_pair together(motion const& x, motion const& y) {
  if (!x.periodic || !y.periodic) return {};
  index const common = gcd(x.period, y.period);
  return {repeated(x, y.period / common), repeated(y, x.period / common)};
}
//! The common period of two motions, with the increment that the operands' increments give.
[[nodiscard]] constexpr motion joint(motion_pair const& both, index increment) {
  return both.periodic() ? moving(both.left.period, increment) : motion{};
}

//! Tells whether a predicate holds for all items, for none, or for item `i + period` exactly when
//! for item `i`.
struct truth_motion {
  bool always = false;
  bool never = false;
  motion moves;
};

//! The algebra of motions along a step: to the next item, other variables kept fixed, or another
//! one that changes several variables. A template, as the other algebras are, so that only those
//! who fold an expression by it compile it: `Motion` is a bounded_motion.
template <class Motion>
struct motions : algebra<motions<Motion>> {
  using element = Motion;
  using truth = truth_motion;
  index step[slot_count] = {1};
  static_assert(item_slot == 0);

  [[nodiscard]] constexpr element variable(mmm::variable const& v) const {
    return {moving(1, step[v.slot]), 0, bounded_motion::unbounded};
  }
  [[nodiscard]] constexpr element number(index n) const { return {moving(1, 0), n, n}; }
  [[nodiscard]] constexpr element add(element const& x, element const& y) const {
    return sum_moves(x, y);
  }
  [[nodiscard]] constexpr element subtract(element const& x, element const& y) const {
    return sum_moves(x, scaled_moves(y, -1));
  }
  [[nodiscard]] constexpr element multiply(element const& x, element const& y) const {
    return product_moves(x, y);
  }
  [[nodiscard]] constexpr element divide(element const& x, element const& y) const {
    return quotient_or_remainder_moves(x, y, true);
  }
  [[nodiscard]] constexpr element modulo(element const& x, element const& y) const {
    return quotient_or_remainder_moves(x, y, false);
  }
  [[nodiscard]] constexpr element bit_and(element const& x, element const& y) const {
    return bitwise_moves(operation::bit_and, x, y);
  }
  [[nodiscard]] constexpr element bit_or(element const& x, element const& y) const {
    return bitwise_moves(operation::bit_or, x, y);
  }
  [[nodiscard]] constexpr element bit_xor(element const& x, element const& y) const {
    return bitwise_moves(operation::bit_xor, x, y);
  }
  [[nodiscard]] constexpr element power_of_two(element const& y) const {
    return y.number() && y.low >= 0 && y.low <= 61 ? number(index{1} << y.low) : element{};
  }
  [[nodiscard]] constexpr element shift_right(element const& x, element const& y) const {
    return shift_right_moves(x, y);
  }
  [[nodiscard]] constexpr element minimum(element const& x, element const& y) const {
    return extremum_moves(x, y, true);
  }
  [[nodiscard]] constexpr element maximum(element const& x, element const& y) const {
    return extremum_moves(x, y, false);
  }
  [[nodiscard]] constexpr element choose(truth const& when, element const& x,
                                         element const& y) const {
    if (when.always) return x;
    if (when.never) return y;
    element result{{}, smaller(x.low, y.low), larger(x.high, y.high)};
    motion_pair const both = together(x.moves, y.moves);
    if (both.parallel()) {
      motion_pair const all = together(both.left, when.moves);
      result.moves = joint(all, all.left.increment);
    }
    return result;
  }

  [[nodiscard]] constexpr truth everywhere() const { return {true, false, moving(1, 0)}; }
  [[nodiscard]] constexpr truth less(element const& x, element const& y) const {
    element const difference = subtract(y, x);
    return decided(difference, difference.low > 0, difference.high <= 0);
  }
  [[nodiscard]] constexpr truth equal(element const& x, element const& y) const {
    element const difference = subtract(y, x);
    return decided(difference, difference.low == 0 && difference.high == 0,
                   difference.low > 0 || difference.high < 0);
  }
  [[nodiscard]] constexpr truth negate(truth const& p) const {
    return {p.never, p.always, p.moves};
  }
  template <connective Connective>
  [[nodiscard]] constexpr truth combine(truth const& p, truth const& q) const {
    constexpr bool both = is(Connective, connective::both);
    truth result;
    result.always = both ? p.always && q.always : p.always || q.always;
    result.never = both ? p.never || q.never : p.never && q.never;
    result.moves =
        result.always || result.never ? moving(1, 0) : joint(together(p.moves, q.moves), 0);
    return result;
  }

 private:
  //! A bound that is infinite once it is out of reach.
  [[nodiscard]] static constexpr index bound_sum(index a, index b, index otherwise) {
    return within_reach(a) && within_reach(b) ? a + b : otherwise;
  }
  [[nodiscard]] static constexpr index bound_product(index a, index b) {
    if (a == 0 || b == 0) return 0;
    if (product_within_reach(a, b)) return a * b;
    return (a < 0) == (b < 0) ? bounded_motion::unbounded : -bounded_motion::unbounded;
  }

  [[nodiscard]] static constexpr element sum_moves(element const& x, element const& y) {
    constexpr index infinite = bounded_motion::unbounded;
    motion_pair const both = together(x.moves, y.moves);
    return {joint(both, both.left.increment + both.right.increment),
            bound_sum(x.low, y.low, -infinite), bound_sum(x.high, y.high, infinite)};
  }
  [[nodiscard]] static constexpr element scaled_moves(element const& x, index factor) {
    element result;
    if (x.moves.periodic && product_within_reach(x.moves.increment, factor))
      result.moves = moving(x.moves.period, x.moves.increment * factor);
    index const a = bound_product(x.low, factor);
    index const b = bound_product(x.high, factor);
    result.low = smaller(a, b);
    result.high = larger(a, b);
    return result;
  }

  [[nodiscard]] static constexpr element product_moves(element const& x, element const& y) {
    if (y.number()) return scaled_moves(x, y.low);
    if (x.number()) return scaled_moves(y, x.low);
    element result;
    if (x.steady() && y.steady()) result.moves = joint(together(x.moves, y.moves), 0);
    index const corner[4] = {bound_product(x.low, y.low), bound_product(x.low, y.high),
                             bound_product(x.high, y.low), bound_product(x.high, y.high)};
    result.low = smaller(smaller(corner[0], corner[1]), smaller(corner[2], corner[3]));
    result.high = larger(larger(corner[0], corner[1]), larger(corner[2], corner[3]));
    return result;
  }

  //! `x / y` and `x % y`, towards zero: with an increment only where x does not change its sign.
  [[nodiscard]] static constexpr element quotient_or_remainder_moves(element const& x,
                                                                     element const& y,
                                                                     bool quotient) {
    element result;
    if (x.number() && y.number() && y.low != 0 && within_reach(x.low))
      return {moving(1, 0), quotient ? x.low / y.low : x.low % y.low,
              quotient ? x.low / y.low : x.low % y.low};
    bool const one_sign = x.low >= 0 || x.high <= 0;
    bool const divisor_known = y.number() && y.low != 0 && within_reach(y.low);
    index const m = y.low < 0 ? -y.low : y.low;
    if (x.steady() && y.steady()) {
      result.moves = joint(together(x.moves, y.moves), 0);
    } else if (divisor_known && one_sign) {
      result.moves = aligned(x.moves, m);
      if (result.moves.periodic)
        result.moves.increment = quotient ? result.moves.increment / y.low : 0;
    }
    if (quotient) {
      index const a = divisor_known && within_reach(x.low) ? x.low / y.low : x.low;
      index const b = divisor_known && within_reach(x.high) ? x.high / y.low : x.high;
      bool const turned = y.low < 0;
      if (divisor_known && (!turned || (within_reach(x.low) && within_reach(x.high)))) {
        result.low = smaller(a, b);
        result.high = larger(a, b);
      }
    } else if (divisor_known) {
      result.low = x.low >= 0 ? 0 : larger(x.low, 1 - m);
      result.high = x.high <= 0 ? 0 : smaller(x.high, m - 1);
    }
    return result;
  }

  //! The number of low bits that hold every value of a bounded expression; -1 if it may be negative
  //! or has no bound.
  [[nodiscard]] static constexpr int bits_of(element const& x) {
    return x.low >= 0 && within_reach(x.high) ? bit_width(x.high) : -1;
  }

  //! `&`, `|`, `^` where y stands in the low bits only: x's bits above them move on as they are, or
  //! vanish.
  [[nodiscard]] static constexpr motion low_bits_moves(operation op, element const& x,
                                                       element const& y, int bits) {
    if (bits < 0 || !y.steady()) return {};
    motion_pair const both = together(aligned(x.moves, index{1} << bits), y.moves);
    return joint(both, op == operation::bit_and ? 0 : both.left.increment);
  }

  [[nodiscard]] static constexpr element bitwise_moves(operation op, element const& x,
                                                       element const& y) {
    if (x.number() || (bits_of(x) >= 0 && x.steady() && !y.steady()))
      if (!y.number()) return bitwise_moves(op, y, x);  // the one with the known bits on the right
    element result;
    if (x.number() && y.number()) {
      index const bits = is(op, operation::bit_and)  ? x.low & y.low
                         : is(op, operation::bit_or) ? x.low | y.low
                                                     : x.low ^ y.low;
      return {moving(1, 0), bits, bits};
    }
    if (x.steady() && y.steady()) {
      result.moves = joint(together(x.moves, y.moves), 0);
    } else if (y.number() &&
               y.low < 0) {  // by the complement: x & y = x - (x & ~y), x ^ y = -1 - (x ^ ~y)
      bounded_motion const mask{y.moves, -1 - y.low, -1 - y.low};
      result.moves = low_bits_moves(operation::bit_xor, x, mask, bits_of(mask));
      if (op == operation::bit_xor) result.moves.increment = -result.moves.increment;
      if (op == operation::bit_or) result.moves.increment = 0;
    } else {
      result.moves = low_bits_moves(op, x, y, bits_of(y));
    }
    int const a = bits_of(x);
    int const b = bits_of(y);
    if (x.low >= 0 && y.low >= 0) result.low = 0;
    if (op == operation::bit_and) {
      if (x.low >= 0 || y.low >= 0) result.low = 0;
      if (a >= 0 || b >= 0) result.high = a < 0 ? y.high : b < 0 ? x.high : smaller(x.high, y.high);
    } else if (a >= 0 && b >= 0) {
      result.high = (index{1} << (a < b ? b : a)) - 1;
    }
    return result;
  }

  //! `floor(x / 2^y)` for a known y.
  [[nodiscard]] static constexpr element shift_right_moves(element const& x, element const& y) {
    if (!y.number() || y.low < 0 || y.low > 61) return {};
    index const power = index{1} << y.low;
    element result;
    result.moves = aligned(x.moves, power);
    result.moves.increment /= power;
    if (within_reach(x.low)) result.low = floor_divide(x.low, power);
    if (within_reach(x.high)) result.high = floor_divide(x.high, power);
    return result;
  }

  //! `min` and `max`: one of the two if the bounds decide which, both if their increments are
  //! equal.
  [[nodiscard]] static constexpr element extremum_moves(element const& x, element const& y,
                                                        bool minimum) {
    if (x.high <= y.low) return minimum ? x : y;
    if (y.high <= x.low) return minimum ? y : x;
    element result;
    motion_pair const both = together(x.moves, y.moves);
    if (both.parallel()) result.moves = both.left;
    result.low = minimum ? smaller(x.low, y.low) : larger(x.low, y.low);
    result.high = minimum ? smaller(x.high, y.high) : larger(x.high, y.high);
    return result;
  }

  [[nodiscard]] static constexpr truth decided(element const& difference, bool always, bool never) {
    truth result{always, never, {}};
    if (always || never)
      result.moves = moving(1, 0);
    else if (difference.steady())
      result.moves = difference.moves;
    return result;
  }
};

template <expression E, class Motion = bounded_motion>
[[nodiscard]] constexpr Motion moves_of(E const& e) {
  motions<Motion> in{};
  return e.fold(in);
}
template <predicate P, class Motion = bounded_motion>
[[nodiscard]] constexpr truth_motion truth_moves_of(P const& p) {
  motions<Motion> in{};
  return p.fold(in);
}

}  // namespace detail

//! The motion of an expression along the items, other variables kept fixed.
//!
//! Found for `+ - *` of periodic expressions and numbers, `/ % & | ^ << >>` by numbers where the
//! sign is known or does not matter, bit operations with a bounded periodic expression, and `min`,
//! `max`, `select` where both sides have the same increment or one of them always wins. Not
//! periodic: everything else, and whatever would leave 64 bits. Time: one step per node.
template <expression E>
[[nodiscard]] constexpr motion period_of(E const& e) {
  return detail::moves_of(e).moves;
}

}  // namespace mmm
