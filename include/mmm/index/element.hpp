// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/algebra.hpp>
#include <mmm/index/expression.hpp>

//! The words of a two-dimensional array's elements, which remember the row and the column asked for
//! and how many of them the array has.
namespace mmm {

//! The word of an array's element as layouts return it for expressions: means what `place` means,
//! to all algebras but those which check bounds.
template <class Place, class Row, class Column>
struct element_expression : detail::expression_node<element_expression<Place, Row, Column>, Place> {
  static constexpr bool knows_bounds = true;
  Place place;
  Row row;
  Column column;
  index rows = 0;
  index columns = 0;
  constexpr element_expression() = default;
  MMM_HOST_DEVICE constexpr element_expression(Place p, Row r, Column c, index row_count,
                                               index column_count)
      : place(p), row(r), column(c), rows(row_count), columns(column_count) {}
  MMM_HOST_DEVICE constexpr element_expression(detail::expression_node<element_expression, Place>,
                                               Place p, Row r, Column c, index row_count,
                                               index column_count)
      : element_expression(p, r, c, row_count, column_count) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    if constexpr (Algebra::checks_bounds)
      return in.array_element(*this);
    else
      return place.fold(in);
  }
};

namespace detail {

//! The place of an array's element, with its bounds if it is an expression.
MMM_NO_SIDE_CHECK
template <class Layout, class Row, class Column, class Place>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto element(Layout const& layout, Row const& row,
                                                     Column const& column, Place const& place) {
  if constexpr (expression<Place>)
    return element_expression<Place, as_expression_type<Row>, as_expression_type<Column>>(
        place, as_expression(row), as_expression(column), layout.rows(), layout.columns());
  else
    return place;
}

//! The place alone.
template <class Place>
[[nodiscard]] MMM_HOST_DEVICE constexpr Place const& place_of(Place const& place) {
  return place;
}
template <class Place, class Row, class Column>
[[nodiscard]] MMM_HOST_DEVICE constexpr Place const& place_of(
    element_expression<Place, Row, Column> const& e) {
  return e.place;
}

//! The algebra of ranges of values over a range of items, for a proof that all elements are inside
//! of their arrays. Wider ranges than the values' are claimed, and both sides of a selection are
//! looked at, so that there may be no proof of what is true.
struct bounds_proof : algebra<bounds_proof> {
  static constexpr bool checks_bounds = true;
  struct range {
    index low = INT64_MIN;
    index high = INT64_MAX;
    [[nodiscard]] constexpr bool within(index low_limit, index high_limit) const {
      return low >= low_limit && high <= high_limit;
    }
  };
  using element = range;
  struct truth {};
  range items;
  bool proven = true;
  constexpr bounds_proof(index first_item, index last_item) : items{first_item, last_item} {}

  template <class Element>
  constexpr range array_element(Element const& e) {
    range const row = e.row.fold(*this);
    range const column = e.column.fold(*this);
    proven = proven && row.within(0, e.rows - 1) && column.within(0, e.columns - 1);
    return {};
  }
  template <class Variable>
  [[nodiscard]] constexpr range variable(Variable const& v) const {
    return v.slot == item_slot ? items : range{0, 0};
  }
  [[nodiscard]] constexpr range number(index n) const { return {n, n}; }
  template <operation Op>
  [[nodiscard]] constexpr range operate(range const& x, range const& y) const {
    constexpr index limit = INT32_MAX;
    if (!x.within(-limit, limit) || !y.within(-limit, limit)) return {};
    if constexpr (is(Op, operation::add)) return {x.low + y.low, x.high + y.high};
    if constexpr (is(Op, operation::subtract)) return {x.low - y.high, x.high - y.low};
    if (x.low < 0 || y.low < 0) return {};
    if constexpr (is(Op, operation::multiply)) return {x.low * y.low, x.high * y.high};
    if constexpr (is(Op, operation::divide))
      return y.low > 0 ? range{x.low / y.high, x.high / y.low} : range{};
    if constexpr (is(Op, operation::modulo)) return {0, smaller(x.high, y.high - 1)};
    if constexpr (is(Op, operation::bit_and)) return {0, smaller(x.high, y.high)};
    return {};
  }
  [[nodiscard]] constexpr range choose(truth, range const& x, range const& y) const {
    return {smaller(x.low, y.low), larger(x.high, y.high)};
  }
  [[nodiscard]] constexpr truth everywhere() const { return {}; }
  template <relation>
  [[nodiscard]] constexpr truth relate(range const&, range const&) const {
    return {};
  }
  template <connective>
  [[nodiscard]] constexpr truth combine(truth, truth) const {
    return {};
  }
  [[nodiscard]] constexpr truth negate(truth) const { return {}; }
};

//! An element that an array does not have; `lane < 0`: there is none.
struct outside_element {
  index lane = -1;
  index row = 0;
  index column = 0;
  index rows = 0;
  index columns = 0;
};

//! The algebra of values that notes the first element outside of its array. The side of a
//! selection that is not taken is not looked at.
template <class Arithmetic>
struct bounds_check : values<Arithmetic> {
  static constexpr bool checks_bounds = true;
  bool failed = false;
  outside_element first;

  constexpr explicit bounds_check(assignment const& variables) : values<Arithmetic>(variables) {}
  template <class Element>
  constexpr index array_element(Element const& e) {
    index const row = e.row.fold(*this);
    index const column = e.column.fold(*this);
    if (!failed && (row < 0 || row >= e.rows || column < 0 || column >= e.columns)) {
      failed = true;
      first = {0, row, column, e.rows, e.columns};
    }
    return e.place.fold(*this);
  }
  template <class Condition, class Then, class Else>
  constexpr index select(Condition const& p, Then const& a, Else const& b) {
    return p.fold(*this) ? a.fold(*this) : b.fold(*this);
  }
  template <connective Connective, class P, class Q>
  constexpr bool connect(P const& p, Q const& q) {
    if constexpr (is(Connective, connective::both))
      return p.fold(*this) && q.fold(*this);
    else
      return p.fold(*this) || q.fold(*this);
  }
};

//! The first element outside of its array that an expression asks for, among the items
//! `first_item + t` of the lanes `t = 0 … lanes - 1` that are `active(t)`. Errors: as mmm::cost_of.
//! Time: O(1) with a proof, otherwise O(lanes).
template <class E, class Active>
[[nodiscard]] constexpr outside_element first_outside(E const& e, index first_item, index lanes,
                                                      Active active) {
  if constexpr (E::knows_bounds) {
    bounds_proof proof(first_item, checked_add(first_item, lanes - 1));
    static_cast<void>(e.fold(proof));
    if (proof.proven) return {};
    assignment item;
    bounds_check<checked_arithmetic> in(item);
    for (index t = 0; t < lanes; ++t) {
      if (!active(t)) continue;
      item.slot[item_slot] = first_item + t;
      static_cast<void>(e.fold(in));
      if (in.failed) {
        in.first.lane = t;
        return in.first;
      }
    }
  }
  return {};
}

}  // namespace detail
}  // namespace mmm
