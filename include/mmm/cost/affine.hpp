// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! Addresses that are `number + sum of coefficient * variable`, where beside the variables of
//! expressions there are the row `(item + shift) / columns` and the column
//! `(item + shift) % columns` for one number of columns: most accesses of most algorithms. Their
//! costs need no search.
namespace mmm::detail {

//! An expression that is affine in every variable, row and column, or the knowledge that it may not
//! be.
struct affine_form {
  bool known = true;
  index number = 0;
  index coefficient[all_slots] = {};
  index columns = 0;  //!< 0: neither row nor column occurs
  index shift = 0;

  [[nodiscard]] constexpr bool is_number() const {
    for (index c : coefficient)
      if (c != 0) return false;
    return known;
  }
  //! All coefficients but that of `slot` are 0.
  [[nodiscard]] constexpr bool is_only(int slot) const {
    for (int s = 0; s < all_slots; ++s)
      if (s != slot && coefficient[s] != 0) return false;
    return known;
  }
  //! Whether no number is above `most`, either way.
  [[nodiscard]] constexpr bool within(index most) const {
    if (number > most || number < -most) return false;
    for (index c : coefficient)
      if (c > most || c < -most) return false;
    return true;
  }
};

//! What the numbers of a form that is known never exceed, so that two may be added without a
//! thought.
inline constexpr index largest_affine = index{1} << 60;

[[nodiscard]] constexpr affine_form scaled(affine_form x, index factor) {
  x.known =
      x.known && factor != INT64_MIN && x.within(largest_affine / larger(1, magnitude(factor)));
  if (!x.known) return x;
  x.number *= factor;
  for (index& c : x.coefficient) c *= factor;
  return x;
}
[[nodiscard]] constexpr affine_form added(affine_form x, affine_form const& y, index sign) {
  x.known = x.known && y.known &&
            (x.columns == 0 || y.columns == 0 || (x.columns == y.columns && x.shift == y.shift));
  if (x.columns == 0) {
    x.columns = y.columns;
    x.shift = y.shift;
  }
  if (!x.known) return x;
  x.number += sign * y.number;
  for (int s = 0; s < all_slots; ++s) x.coefficient[s] += sign * y.coefficient[s];
  x.known = x.within(largest_affine);
  return x;
}
//! `x / divisor` where it leaves no remainder, whatever the variables are; otherwise not known.
[[nodiscard]] constexpr affine_form divided(affine_form x, index divisor) {
  bool exact = x.known && divisor != 0 && x.number % divisor == 0;
  for (index& c : x.coefficient) {
    exact = exact && c % divisor == 0;
    c = exact ? c / divisor : 0;
  }
  x.known = exact;
  x.number = exact ? x.number / divisor : 0;
  return x;
}
//! The row or the column of an item, if `x` is an item but for a number, and `columns` is a number.
[[nodiscard]] constexpr affine_form place(int slot, affine_form const& x,
                                          affine_form const& columns) {
  affine_form form;
  form.known = x.is_only(item_slot) && x.coefficient[item_slot] == 1 && columns.is_number() &&
               columns.number > 0;
  form.coefficient[slot] = 1;
  form.columns = columns.number;
  form.shift = x.number;
  return form;
}

template <expression E>
[[nodiscard]] constexpr affine_form affine_of(E const&) {
  return {.known = false};
}
[[nodiscard]] constexpr affine_form affine_of(variable const& x) {
  affine_form form;
  form.coefficient[x.slot] = 1;
  return form;
}
[[nodiscard]] constexpr affine_form affine_of(constant const& x) {
  affine_form form;
  form.number = x.number;
  form.known = form.within(largest_affine);
  return form;
}
template <int Slot>
[[nodiscard]] constexpr affine_form affine_of(trapezoid_variable<Slot> const&) {
  return affine_of(variable(Slot));
}
template <index Number>
[[nodiscard]] constexpr affine_form affine_of(literal_constant<Number> const&) {
  return affine_of(constant(Number));
}
template <operation Op, class Left, class Right>
[[nodiscard]] constexpr affine_form affine_of(binary_expression<Op, Left, Right> const& e) {
  if constexpr (Op == operation::add || Op == operation::subtract) {
    affine_form const left = affine_of(e.left);
    if (!left.known) return left;
    return added(left, affine_of(e.right), Op == operation::add ? 1 : -1);
  } else if constexpr (Op == operation::multiply) {
    affine_form const left = affine_of(e.left);
    affine_form const right = affine_of(e.right);
    if (!left.known || !right.known) return {.known = false};
    if (right.is_number()) return scaled(left, right.number);
    if (left.is_number()) return scaled(right, left.number);
  } else if constexpr (Op == operation::divide || Op == operation::modulo) {
    affine_form const left = affine_of(e.left);
    affine_form const right = affine_of(e.right);
    if (Op == operation::divide && right.is_number()) {
      affine_form const exact = divided(left, right.number);
      if (exact.known) return exact;
    }
    return place(Op == operation::divide ? row_slot : column_slot, left, right);
  }
  return {.known = false};
}

//! The items, from 0 on, for which a predicate holds: all, the first few, or not known to be of
//! this form.
struct item_prefix {
  bool known = false;
  index items = 0;
};
[[nodiscard]] constexpr item_prefix prefix_of(always const&, index items) { return {true, items}; }
template <predicate P>
[[nodiscard]] constexpr item_prefix prefix_of(P const&, index) {
  return {};
}
template <class Left, class Right>
[[nodiscard]] constexpr item_prefix prefix_of(comparison<relation::less, Left, Right> const& p,
                                              index items) {
  affine_form const x = added(affine_of(p.left), affine_of(p.right), -1);  // holds where x < 0
  index const step = x.coefficient[item_slot];
  if (!x.is_only(item_slot) || step <= 0) return {};
  return {true, x.number >= 0 ? 0 : smaller(items, ceil_divide(-x.number, step))};
}

//! Stages of a request of `lanes` lanes, at addresses `step` words apart; on a UMM the lowest is
//! `residue` words behind the start of an address group. Of a memory without conflicts: accesses.
template <conflict Conflict>
[[nodiscard]] constexpr index affine_stages(index width, index step, index residue, index lanes) {
  if constexpr (Conflict == conflict::none || Conflict == conflict::amount) {
    return lanes;
  } else {
    if (lanes == 0 || step == 0) return lanes != 0;
    if constexpr (Conflict == conflict::banks) return ceil_divide(lanes, width / gcd(step, width));
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
