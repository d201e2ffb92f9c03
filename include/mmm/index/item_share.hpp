// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/period.hpp>

//! Properties of an expression over its items: the rows that it divides them into, and whether it
//! distinguishes items from the trips of a loop.
namespace mmm::detail {

//! The growth of an expression: it is a number, or grows by `numerator / denominator` for each item
//! but for rounding, or neither is known.
struct item_share {
  bool known = false;
  bool number = false;
  index value = 0;  //!< the number
  index numerator = 0;
  index denominator = 1;
};

//! The algebra of shares, which notes the two largest numbers of items from one change of a
//! quotient to the next.
template <class Share>
struct item_shares : algebra<item_shares<Share>> {
  using element = Share;
  struct truth {};
  index items = INT64_MAX;  //!< quotients that are 0 for all of them are not noted
  index largest = 0;
  index second = 0;
  index within = 1;  //!< least common multiple of the divisors of places in rows

  template <class Variable>
  [[nodiscard]] constexpr element variable(Variable const& v) const {
    return {true, false, 0, v.slot == item_slot ? 1 : 0, 1};
  }
  [[nodiscard]] constexpr element number(index n) const { return {true, true, n, 0, 1}; }
  [[nodiscard]] constexpr element add(element const& x, element const& y) const {
    return sum(x, y, 1);
  }
  [[nodiscard]] constexpr element subtract(element const& x, element const& y) const {
    return sum(x, y, -1);
  }
  [[nodiscard]] constexpr element multiply(element const& x, element const& y) const {
    if (!x.known || !y.known || (!x.number && !y.number)) return {};
    element const& factored = y.number ? x : y;
    index const factor = y.number ? y.value : x.value;
    if (!product_within_reach(factored.numerator, factor) ||
        !product_within_reach(factored.value, factor))
      return {};
    return {true, factored.number, factored.value * factor, factored.numerator * factor,
            factored.denominator};
  }
  [[nodiscard]] constexpr element divide(element const& x, element const& y) {
    if (!x.known && y.number && y.value > 0 && y.value < 1024 && within < 1024)
      within = lcm(within, y.value);
    if (!x.known || !y.number || y.value <= 0 || !product_within_reach(x.denominator, y.value))
      return {};
    if (x.number) return number(x.value / y.value);
    if (stays_below(x, y.value)) return number(0);
    note(x, y.value);
    return {true, false, 0, x.numerator, x.denominator * y.value};
  }
  [[nodiscard]] constexpr element modulo(element const& x, element const& y) {
    if (x.known && !x.number && y.number && stays_below(x, y.value)) return x;
    static_cast<void>(divide(x, y));
    return {};
  }
  [[nodiscard]] constexpr element bit_and(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr element bit_or(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr element bit_xor(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr element power_of_two(element const& y) const {
    return y.number && y.value >= 0 && y.value < 62 ? number(index{1} << y.value) : element{};
  }
  [[nodiscard]] constexpr element shift_right(element const& x, element const& y) {
    return divide(x, power_of_two(y));
  }
  [[nodiscard]] constexpr element choose(truth, element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr truth everywhere() const { return {}; }
  [[nodiscard]] constexpr truth less(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr truth equal(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr truth negate(truth) const { return {}; }
  template <connective Connective>
  [[nodiscard]] constexpr truth combine(truth, truth) const {
    return {};
  }

 private:
  //! True if x, which is 0 for item 0, is below `divisor` for all items.
  [[nodiscard]] constexpr bool stays_below(element const& x, index divisor) const {
    if (x.value != 0 || x.numerator <= 0 || divisor <= 0) return false;
    return x.denominator <= INT64_MAX / divisor && x.denominator * divisor / x.numerator >= items;
  }
  constexpr void note(element const& x, index divisor) {
    if (x.numerator == 0) return;
    index const length = x.denominator * divisor;
    index const period = length / gcd(length, x.numerator);
    if (period == largest) return;
    second = larger(second, smaller(period, largest));
    largest = larger(largest, period);
  }
  [[nodiscard]] static constexpr element sum(element const& x, element const& y, index sign) {
    if (!x.known || !y.known || !product_within_reach(x.numerator, y.denominator) ||
        !product_within_reach(y.numerator, x.denominator) ||
        !product_within_reach(x.denominator, y.denominator) || !within_reach(x.value) ||
        !within_reach(y.value))
      return {};
    return {true, x.number && y.number, x.value + sign * y.value,
            x.numerator * y.denominator + sign * y.numerator * x.denominator,
            x.denominator * y.denominator};
  }
};

//! Numbers of items that quotients of the expressions take to change: the most, which is a row, and
//! the second most, 0 if there is none; and `within`, a number of items that quotients of places in
//! a row take to change, 1 if there is none.
struct row_items {
  index row = 0;
  index inner = 0;
  index within = 1;
};
template <class Address, class Predicate, class Share = item_share>
[[nodiscard]] constexpr row_items items_of_rows(Address const& address, Predicate const& predicate,
                                                index items) {
  item_shares<Share> in{};
  in.items = items;
  static_cast<void>(address.fold(in));
  static_cast<void>(predicate.fold(in));
  return {in.largest, in.second, in.within};
}

//! True if neither expression changes where one variable grows by `step` and another one by
//! `other_step`, as long as no variable is negative. False where that is not known.
template <class Address, class Predicate, class Motion = bounded_motion>
[[nodiscard]] constexpr bool unmoved(Address const& address, Predicate const& predicate, int slot,
                                     index step, int other_slot, index other_step) {
  motions<Motion> in{};
  in.step[item_slot] = 0;
  in.step[slot] = step;
  in.step[other_slot] = other_step;
  motion const of_address = address.fold(in).moves;
  truth_motion const of_predicate = predicate.fold(in);
  return of_address == motion{1, 0, true} &&
         (of_predicate.always || of_predicate.never || of_predicate.moves == motion{1, 0, true});
}

}  // namespace mmm::detail
