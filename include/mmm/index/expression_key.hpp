// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/algebra.hpp>
#include <mmm/index/expression.hpp>

//! Expressions as sequences of numbers, by which equal ones of any types are recognized.
namespace mmm::detail {

//! The algebra of keys: every node appends its kind to a sequence, after the nodes below it, and
//! leaves append their number, too. Kinds have a fixed number of nodes below, so that different
//! expressions have different sequences. `Sequence` has a member `add(index)`.
template <class Sequence>
struct expression_keys : algebra<expression_keys<Sequence>> {
  struct noted {};
  using element = noted;
  using truth = noted;
  enum kind : index { variable_kind, number_kind, always_kind, choice_kind, negation_kind, other };
  Sequence& to;
  constexpr explicit expression_keys(Sequence& sequence) : to(sequence) {}

  template <class Variable>
  constexpr noted variable(Variable const& v) const {
    to.add(v.slot);
    return note(variable_kind);
  }
  constexpr noted number(index n) const {
    to.add(n);
    return note(number_kind);
  }
  template <operation Op>
  constexpr noted operate(noted, noted) const {
    return note(other + 8 * static_cast<index>(Op));
  }
  constexpr noted choose(noted, noted, noted) const { return note(choice_kind); }
  constexpr noted everywhere() const { return note(always_kind); }
  template <relation Relation>
  constexpr noted relate(noted, noted) const {
    return note(other + 1 + 8 * static_cast<index>(Relation));
  }
  template <connective Connective>
  constexpr noted combine(noted, noted) const {
    return note(other + 2 + 8 * static_cast<index>(Connective));
  }
  constexpr noted negate(noted) const { return note(negation_kind); }

 private:
  constexpr noted note(index what) const {
    to.add(what);
    return {};
  }
};

//! Appends an expression or a predicate to a sequence of numbers.
template <class E, class Sequence>
constexpr void describe(E const& e, Sequence& sequence) {
  expression_keys<Sequence> in(sequence);
  static_cast<void>(e.fold(in));
}

}  // namespace mmm::detail
