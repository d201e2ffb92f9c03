// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/index/expression.hpp>

#include <string>

//! Index expressions as text.
namespace mmm::report {

namespace detail {

//! How tightly an expression's outermost operator binds, as in C++; what has none binds tightest.
enum class binding {
  choice,
  either,
  both,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  less,
  shift,
  sum,
  product,
  atom
};

struct printed {
  std::string text;
  binding outermost = binding::atom;
  mmm::detail::operation op = mmm::detail::operation::add;  //!< of a binary expression
};

[[nodiscard]] constexpr binding binding_of(mmm::detail::operation op) {
  using mmm::detail::operation;
  switch (op) {
    case operation::add:
    case operation::subtract:
      return binding::sum;
    case operation::multiply:
    case operation::divide:
    case operation::modulo:
      return binding::product;
    case operation::bit_and:
      return binding::bit_and;
    case operation::bit_or:
      return binding::bit_or;
    case operation::bit_xor:
      return binding::bit_xor;
    case operation::shift_left:
    case operation::shift_right:
      return binding::shift;
    default:
      return binding::atom;
  }
}

[[nodiscard]] constexpr char const* sign_of(mmm::detail::operation op) {
  using mmm::detail::operation;
  switch (op) {
    case operation::add:
      return " + ";
    case operation::subtract:
      return " - ";
    case operation::multiply:
      return " * ";
    case operation::divide:
      return " / ";
    case operation::modulo:
      return " % ";
    case operation::bit_and:
      return " & ";
    case operation::bit_or:
      return " | ";
    case operation::bit_xor:
      return " ^ ";
    case operation::shift_left:
      return " << ";
    case operation::shift_right:
      return " >> ";
    case operation::minimum:
      return "min";
    default:
      return "max";
  }
}

//! An operand in parentheses where C++ or the eye needs them: `(i % 32) * 33 + i / 32`.
[[nodiscard]] inline std::string operand_text(printed const& x, mmm::detail::operation parent,
                                              bool right) {
  using mmm::detail::operation;
  binding const outer = binding_of(parent);
  bool needed = x.outermost < outer;
  if (x.outermost == outer) needed = right || (outer == binding::product && x.op != parent);
  if (outer != binding::sum && outer != binding::product)
    needed = x.outermost != binding::atom && (x.op != parent || right);
  return needed ? '(' + x.text + ')' : x.text;
}

[[nodiscard]] inline std::string in_parentheses(printed const& x, binding outer) {
  return x.outermost < outer ? '(' + x.text + ')' : x.text;
}

[[nodiscard]] inline printed print(variable const& v) {
  if (v.slot == mmm::detail::item_slot) return {"i"};
  if (v.slot == mmm::detail::dmm_slot) return {"dmm"};
  return {"k" + std::to_string(v.slot - mmm::detail::first_loop_slot)};
}
[[nodiscard]] inline printed print_number(index n) {
  return {std::to_string(n), n < 0 ? binding::sum : binding::atom,
          mmm::detail::operation::subtract};
}
[[nodiscard]] inline printed print(constant const& c) { return print_number(c.number); }
template <index Number>
[[nodiscard]] printed print(literal_constant<Number> const&) {
  return print_number(Number);
}
[[nodiscard]] inline printed print(mmm::detail::always const&) { return {"true"}; }

template <mmm::detail::operation Op, class L, class R>
[[nodiscard]] printed print(binary_expression<Op, L, R> const& e);
template <class C, class A, class B>
[[nodiscard]] printed print(select_expression<C, A, B> const& e);
template <mmm::detail::relation Relation, class L, class R>
[[nodiscard]] printed print(comparison<Relation, L, R> const& p);
template <mmm::detail::connective Connective, class L, class R>
[[nodiscard]] printed print(combination<Connective, L, R> const& p);
template <mmm::detail::relation Relation, class L, class R>
[[nodiscard]] printed print(negation<comparison<Relation, L, R>> const& p);
template <class P>
[[nodiscard]] printed print(negation<P> const& p);

template <mmm::detail::operation Op, class L, class R>
printed print(binary_expression<Op, L, R> const& e) {
  using mmm::detail::operation;
  printed const left = print(e.left);
  printed const right = print(e.right);
  if constexpr (Op == operation::minimum || Op == operation::maximum)
    return {std::string(sign_of(Op)) + '(' + left.text + ", " + right.text + ')'};
  else if (Op == operation::subtract && left.text == "0")
    return {"-" + operand_text(right, Op, true), binding::sum, Op};
  else
    return {operand_text(left, Op, false) + sign_of(Op) + operand_text(right, Op, true),
            binding_of(Op), Op};
}

template <class C, class A, class B>
printed print(select_expression<C, A, B> const& e) {
  return {in_parentheses(print(e.condition), binding::either) + " ? " +
              in_parentheses(print(e.then_value), binding::either) + " : " +
              in_parentheses(print(e.else_value), binding::either),
          binding::choice};
}

template <mmm::detail::relation Relation, class L, class R>
printed print(comparison<Relation, L, R> const& p) {
  constexpr bool less = Relation == mmm::detail::relation::less;
  return {in_parentheses(print(p.left), binding::shift) + (less ? " < " : " == ") +
              in_parentheses(print(p.right), binding::shift),
          less ? binding::less : binding::equal};
}

template <mmm::detail::connective Connective, class L, class R>
printed print(combination<Connective, L, R> const& p) {
  constexpr bool both = Connective == mmm::detail::connective::both;
  return {in_parentheses(print(p.left), both ? binding::both : binding::bit_or) +
              (both ? " && " : " || ") +
              in_parentheses(print(p.right), both ? binding::both : binding::bit_or),
          both ? binding::both : binding::either};
}

//! `!(b < a)` is what `a <= b` is made of, and printed so.
template <mmm::detail::relation Relation, class L, class R>
printed print(negation<comparison<Relation, L, R>> const& p) {
  constexpr bool less = Relation == mmm::detail::relation::less;
  std::string const left = in_parentheses(print(p.inner.left), binding::shift);
  std::string const right = in_parentheses(print(p.inner.right), binding::shift);
  if constexpr (less) return {right + " <= " + left, binding::less};
  return {left + " != " + right, binding::equal};
}

template <class P>
printed print(negation<P> const& p) {
  return {"!" + in_parentheses(print(p.inner), binding::atom)};
}

}  // namespace detail

//! The text of an index expression or of a condition on one: `(i % 32) * 33 + i / 32`. The item is
//! `i`, a DMM's number `dmm`, the counters of loops `k0`, `k1`, …, from the outermost inwards.
//! Reading the text as C++ gives the same values. Time: O(length^2).
template <class E>
requires expression<E> || predicate<E>
[[nodiscard]] std::string text(E const& e) {
  return detail::print(e).text;
}

}  // namespace mmm::report
