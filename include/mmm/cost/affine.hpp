// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! Addresses that are `number + sum of coefficient * variable`, where beside the variables of
//! expressions there are the row `(item + shift) / columns` and the column
//! `(item + shift) % columns` for one number of columns: most accesses of most algorithms. Their
//! costs need no search. Without this short way the static costs of prefix-sums take 1.8 times as
//! long to compile with g++ 12 and 2.1 times with clang 19; other algorithms take about the same.
namespace mmm::detail {

//! An expression that is affine in every variable, row and column, or the knowledge that it may not
//! be.
struct affine_form {
  bool known = true;
  int slots = 0;  //!< from this one on all coefficients are 0
  index number = 0;
  index coefficient[all_slots] = {};
  index columns = 0;  //!< 0: neither row nor column occurs
  index shift = 0;

  [[nodiscard]] constexpr bool is_number() const {
    for (int s = 0; s < slots; ++s)
      if (coefficient[s] != 0) return false;
    return known;
  }
  //! All coefficients but that of `slot` are 0.
  [[nodiscard]] constexpr bool is_only(int slot) const {
    for (int s = 0; s < slots; ++s)
      if (s != slot && coefficient[s] != 0) return false;
    return known;
  }
  //! True if no number is above `most`, either way.
  [[nodiscard]] constexpr bool within(index limit) const {
    if (number > limit || number < -limit) return false;
    for (int s = 0; s < slots; ++s)
      if (coefficient[s] > limit || coefficient[s] < -limit) return false;
    return true;
  }
};

//! The largest number in a known form, such that the sum of two fits into 64 bits.
inline constexpr index largest_affine = index{1} << 60;

//! True if no address of a form leaves 64 bits where the variables stay below `below`. False where
//! that is not known.
[[nodiscard]] constexpr bool fits(affine_form const& form, index const (&below)[all_slots]) {
  index reach = magnitude(form.number);
  for (int s = 0; s < form.slots; ++s) {
    if (form.coefficient[s] == 0) continue;
    index const step = magnitude(form.coefficient[s]);
    if (below[s] > (INT64_MAX - reach) / step) return false;
    reach += below[s] * step;
  }
  return true;
}

//! The items, from 0 on, for which a predicate holds: the first `items` ones, or not known to be of
//! this form.
struct item_prefix {
  bool known = false;
  index items = 0;
};

//! The algebra of affine forms. A predicate's element is the prefix of the items that satisfy it.
template <class Form>
struct affine_forms : algebra<affine_forms<Form>> {
  using element = Form;
  using truth = item_prefix;
  static constexpr element unknown{.known = false};
  //! bounds of the variables, to decide comparisons that hold for all values or for none
  index below[all_slots] = {};

  template <class Variable>
  [[nodiscard]] constexpr element variable(Variable const& v) const {
    element form;
    form.slots = v.slot + 1;
    form.coefficient[v.slot] = 1;
    return form;
  }
  [[nodiscard]] constexpr element number(index n) const {
    element form;
    form.number = n;
    form.known = n <= largest_affine && n >= -largest_affine;
    return form;
  }
  [[nodiscard]] constexpr element add(element const& x, element const& y) const {
    return added(x, y, 1);
  }
  [[nodiscard]] constexpr element subtract(element const& x, element const& y) const {
    return added(x, y, -1);
  }
  [[nodiscard]] constexpr element multiply(element const& x, element const& y) const {
    if (!x.known || !y.known) return unknown;
    if (y.is_number()) return scaled(x, y.number);
    if (x.is_number()) return scaled(y, x.number);
    return unknown;
  }
  [[nodiscard]] constexpr element divide(element const& x, element const& y) const {
    if (y.is_number()) {
      element const exact = divided(x, y.number);
      if (exact.known) return exact;
    }
    return place(row_slot, x, y);
  }
  [[nodiscard]] constexpr element modulo(element const& x, element const& y) const {
    return place(column_slot, x, y);
  }
  [[nodiscard]] constexpr element bit_and(element const&, element const&) const { return unknown; }
  [[nodiscard]] constexpr element bit_or(element const&, element const&) const { return unknown; }
  [[nodiscard]] constexpr element bit_xor(element const&, element const&) const { return unknown; }
  [[nodiscard]] constexpr element power_of_two(element const& y) const {
    return y.is_number() && y.number >= 0 && y.number <= 60 ? number(index{1} << y.number)
                                                            : unknown;
  }
  [[nodiscard]] constexpr element shift_right(element const&, element const&) const {
    return unknown;
  }
  [[nodiscard]] constexpr element choose(truth const&, element const&, element const&) const {
    return unknown;
  }

  [[nodiscard]] constexpr truth everywhere() const { return {true, INT64_MAX}; }
  [[nodiscard]] constexpr truth less(element const& x, element const& y) const {
    element const difference = subtract(x, y);  // holds where it is below 0
    if (difference.known && difference.columns == 0 && fits(difference, below)) {
      index least = difference.number;
      index greatest = difference.number;
      for (int s = 0; s < difference.slots; ++s) {
        index const reach = difference.coefficient[s] * (larger(below[s], 1) - 1);
        (reach < 0 ? least : greatest) += reach;
      }
      if (greatest < 0) return everywhere();
      if (least >= 0) return {true, 0};
    }
    index const step = difference.coefficient[item_slot];
    if (!difference.is_only(item_slot) || step <= 0) return {};
    return {true, difference.number >= 0 ? 0 : ceil_divide(-difference.number, step)};
  }
  [[nodiscard]] constexpr truth equal(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr truth negate(truth const&) const { return {}; }
  template <connective Connective>
  [[nodiscard]] constexpr truth combine(truth const& p, truth const& q) const {
    constexpr bool both = is(Connective, connective::both);
    return {p.known && q.known, both ? smaller(p.items, q.items) : larger(p.items, q.items)};
  }

 private:
  [[nodiscard]] static constexpr element scaled(element x, index factor) {
    x.known =
        x.known && factor != INT64_MIN && x.within(largest_affine / larger(1, magnitude(factor)));
    if (!x.known) return x;
    x.number *= factor;
    for (int s = 0; s < x.slots; ++s) x.coefficient[s] *= factor;
    return x;
  }
  [[nodiscard]] static constexpr element added(element x, element const& y, index sign) {
    x.known = x.known && y.known &&
              (x.columns == 0 || y.columns == 0 || (x.columns == y.columns && x.shift == y.shift));
    if (x.columns == 0) {
      x.columns = y.columns;
      x.shift = y.shift;
    }
    if (!x.known) return x;
    x.number += sign * y.number;
    if (x.slots < y.slots) x.slots = y.slots;
    for (int s = 0; s < y.slots; ++s) x.coefficient[s] += sign * y.coefficient[s];
    x.known = x.within(largest_affine);
    return x;
  }
  //! `x / divisor` where it leaves no remainder, whatever the variables are; otherwise not known.
  [[nodiscard]] static constexpr element divided(element x, index divisor) {
    bool exact = x.known && divisor != 0 && x.number % divisor == 0;
    for (int s = 0; s < x.slots; ++s) {
      index& c = x.coefficient[s];
      exact = exact && c % divisor == 0;
      c = exact ? c / divisor : 0;
    }
    x.known = exact;
    x.number = exact ? x.number / divisor : 0;
    return x;
  }
  //! The row or the column of an item, if `x` is an item but for a number, and `columns` is a
  //! number.
  [[nodiscard]] static constexpr element place(int slot, element const& x, element const& columns) {
    element form;
    form.known = x.is_only(item_slot) && x.coefficient[item_slot] == 1 && columns.is_number() &&
                 columns.number > 0;
    form.slots = slot + 1;
    form.coefficient[slot] = 1;
    form.columns = columns.number;
    form.shift = x.number;
    return form;
  }
};

template <expression E, class Form = affine_form>
[[nodiscard]] constexpr Form affine_of(E const& e) {
  affine_forms<Form> in{};
  return e.fold(in);
}
//! The items for which a predicate holds, where the variables stay below `below`.
template <predicate P, class Form = affine_form>
[[nodiscard]] constexpr item_prefix prefix_of(P const& p, index const (&below)[all_slots]) {
  affine_forms<Form> in{};
  for (int s = 0; s < all_slots; ++s) in.below[s] = below[s];
  item_prefix const found = p.fold(in);
  return {found.known, smaller(below[item_slot], found.items)};
}

//! Stages of a request of `lanes` lanes, at addresses `step` words apart; on a UMM the lowest is
//! `residue` words after the start of an address group. On a memory without conflicts: the number
//! of accesses.
template <conflict Conflict>
[[nodiscard]] constexpr index affine_stages(index width, index step, index residue, index lanes) {
  if constexpr (is(Conflict, conflict::none) || is(Conflict, conflict::amount)) {
    return lanes;
  } else {
    constexpr bool updates = is(Conflict, conflict::updates);
    if (lanes == 0 || (!updates && step == 0)) return lanes != 0;
    if constexpr (!is(Conflict, conflict::groups))
      return ceil_divide(lanes, width / gcd(step, width));
    step = magnitude(step);
    return step >= width ? lanes : (residue + step * (lanes - 1)) / width + 1;
  }
}

//! Address groups that the warps of items 0 … items - 1 touch, summed over the warps, at addresses
//! `number + (item + shift) / columns`, rounded towards 0, where `shift > -columns`.
[[nodiscard]] constexpr index row_groups(index width, index items, index columns, index shift,
                                         index number) {
  auto const group = [&](index i) { return floor_divide(number + (i + shift) / columns, width); };
  index const warps = ceil_divide(items, width);
  // A warp touches one group more than the changes of group inside it. Changes between warps are at
  // items that are multiples of w with a new row that begins a group.
  index between = 0;
  index const offset = floor_modulo(-(shift + columns * number), columns * width);
  if (offset % width == 0) {
    index const first = offset / width;  // warps first, first + columns, … begin with such an item
    index const least = shift < 0 ? -shift / width + 1 : 1;
    auto const below = [&](index end) { return end > first ? (end - first - 1) / columns + 1 : 0; };
    if (warps > least) between = below(warps) - below(least);
  }
  return warps + group(items - 1) - group(0) - between;
}

}  // namespace mmm::detail
