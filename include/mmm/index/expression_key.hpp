// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/algebra.hpp>
#include <mmm/index/element.hpp>
#include <mmm/index/expression.hpp>

//! Expressions as sequences of numbers, by which equal ones of any types are recognized.
namespace mmm::detail {

//! The variables in an expression, one bit for each slot.
struct variable_set {
  std::uint32_t slots = 0;
  [[nodiscard]] constexpr bool has(int slot) const { return ((slots >> slot) & 1U) != 0; }
  friend constexpr variable_set operator|(variable_set a, variable_set b) {
    return {a.slots | b.slots};
  }
};

//! The algebra of keys: every node appends its kind to a sequence, after the nodes below it, and
//! leaves append their number, too. Kinds have a fixed number of nodes below, so that different
//! expressions have different sequences. `Sequence` has a member `add(index)`.
template <class Sequence>
struct expression_keys : algebra<expression_keys<Sequence>> {
  using noted = variable_set;
  using element = noted;
  using truth = noted;
  static constexpr index variable_kind = 0;
  static constexpr index number_kind = 1;
  static constexpr index always_kind = 2;
  static constexpr index choice_kind = 3;
  static constexpr index negation_kind = 4;
  static constexpr index other = 5;
  Sequence& to;
  constexpr explicit expression_keys(Sequence& sequence) : to(sequence) {}

  template <class Variable>
  constexpr noted variable(Variable const& v) const {
    to.add(v.slot);
    return note(variable_kind, {std::uint32_t{1} << v.slot});
  }
  constexpr noted number(index n) const {
    to.add(n);
    return note(number_kind);
  }
  template <operation Op>
  constexpr noted operate(noted x, noted y) const {
    return note(other + 8 * static_cast<index>(Op), x | y);
  }
  constexpr noted choose(noted p, noted x, noted y) const { return note(choice_kind, p | x | y); }
  constexpr noted everywhere() const { return note(always_kind); }
  template <relation Relation>
  constexpr noted relate(noted x, noted y) const {
    return note(other + 1 + 8 * static_cast<index>(Relation), x | y);
  }
  template <connective Connective>
  constexpr noted combine(noted p, noted q) const {
    return note(other + 2 + 8 * static_cast<index>(Connective), p | q);
  }
  constexpr noted negate(noted p) const { return note(negation_kind, p); }

 private:
  constexpr noted note(index kind, variable_set below = {}) const {
    to.add(kind);
    return below;
  }
};

//! Appends an expression or a predicate to a sequence of numbers. Returns the variables in it.
template <class E, class Sequence>
constexpr variable_set describe(E const& e, Sequence& sequence) {
  expression_keys<Sequence> in(sequence);
  return e.fold(in);
}

//! The number that an expression adds to all its values, where a sum of it says so.
template <class E>
[[nodiscard]] constexpr index added_number(E const&) {
  return 0;
}
[[nodiscard]] constexpr index added_number(constant const& e) { return e.number; }
template <index Number>
[[nodiscard]] constexpr index added_number(literal_constant<Number> const&) {
  return Number;
}
template <class Place, class Row, class Column>
[[nodiscard]] constexpr index added_number(element_expression<Place, Row, Column> const& e) {
  return added_number(e.place);
}
template <class Left, class Right>
[[nodiscard]] constexpr index added_number(
    binary_expression<operation::add, Left, Right> const& e) {
  return checked_add(added_number(e.left), added_number(e.right));
}
template <class Left>
[[nodiscard]] constexpr index added_number(
    binary_expression<operation::multiply, Left, constant> const& e) {
  return checked_multiply(added_number(e.left), e.right.number);
}

//! describe() with 0 in place of the numbers that make up added_number(): expressions that differ
//! in nothing else have the same sequence.
template <class E, class Sequence>
constexpr variable_set describe_unmoved(E const& e, Sequence& sequence) {
  return describe(e, sequence);
}
template <class Sequence>
constexpr variable_set describe_unmoved(constant const&, Sequence& sequence) {
  return describe(constant(0), sequence);
}
template <index Number, class Sequence>
constexpr variable_set describe_unmoved(literal_constant<Number> const&, Sequence& sequence) {
  return describe(constant(0), sequence);
}
template <class Place, class Row, class Column, class Sequence>
constexpr variable_set describe_unmoved(element_expression<Place, Row, Column> const& e,
                                        Sequence& sequence) {
  return describe_unmoved(e.place, sequence);
}
template <class Left, class Right, class Sequence>
constexpr variable_set describe_unmoved(binary_expression<operation::add, Left, Right> const& e,
                                        Sequence& sequence) {
  variable_set const x = describe_unmoved(e.left, sequence);
  variable_set const y = describe_unmoved(e.right, sequence);
  return expression_keys<Sequence>(sequence).template operate<operation::add>(x, y);
}
template <class Left, class Sequence>
constexpr variable_set describe_unmoved(
    binary_expression<operation::multiply, Left, constant> const& e, Sequence& sequence) {
  variable_set const x = describe_unmoved(e.left, sequence);
  variable_set const y = describe(e.right, sequence);
  return expression_keys<Sequence>(sequence).template operate<operation::multiply>(x, y);
}

//! The variables in an expression or a predicate.
template <class E>
[[nodiscard]] constexpr variable_set variables_of(E const& e) {
  struct {
    constexpr void add(index) const {}
  } nothing;
  return describe(e, nothing);
}

}  // namespace mmm::detail
