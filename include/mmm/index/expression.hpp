// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/index/algebra.hpp>

//! Index expressions: an address as a function of the item, a value whose type is its syntax tree.
//! They know no machine.
//!
//! All nodes are structural types, so that an expression can be a template argument and compilers
//! print its numbers. Each has a constructor that takes its empty base first: nvcc writes template
//! arguments back as if nodes were aggregates.
//!
//! Every question about an expression (its value, its period, its normal form, its text, …) is an
//! algebra (index/algebra.hpp), and `fold` is the only walk over the nodes.
namespace mmm {

namespace detail {
struct expression_base {};
struct predicate_base {};

//! Base of the nodes that are expressions; `Children` are the nodes below.
template <class Self, class... Children>
struct expression_node : expression_base {
  //! True if the expression depends on the row or the column of a trapezoid's item.
  static constexpr bool in_trapezoid = (Children::in_trapezoid || ... || false);
  //! True if the expression may divide: otherwise it has no rows.
  static constexpr bool divides = (Children::divides || ... || false);
  //! True if the expression has the word of an array's element in it (index/element.hpp).
  static constexpr bool knows_bounds = (Children::knows_bounds || ... || false);

  //! The value at item `i`, all other variables 0. Host and device. An operation that C++ leaves
  //! undefined (overflow, a division by 0, a shift by a number outside of 0 … 62) is
  //! std::overflow_error or std::invalid_argument on the host, a compile error in a constant
  //! expression, and not checked in a kernel. Time: one operation per node.
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index operator()(index i) const {
    assignment variables;
    variables.slot[item_slot] = i;
    return value<arithmetic_here>(variables);
  }
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(assignment const& variables) const {
    values<Arithmetic> in(variables);
    return static_cast<Self const&>(*this).fold(in);
  }
};

//! Base of the nodes that are predicates.
template <class Self, class... Children>
struct predicate_node : predicate_base {
  static constexpr bool in_trapezoid = (Children::in_trapezoid || ... || false);
  static constexpr bool divides = (Children::divides || ... || false);
  static constexpr bool knows_bounds = (Children::knows_bounds || ... || false);

  //! Refused, in words: a condition on symbolic items has no value.
  template <same_as<bool> Bool>
  constexpr explicit operator Bool() const {
    static_assert(
        never<Bool>,
        "mmm: a condition on an item is no bool, as the body is called once for all items: write "
        "mmm::store_if(c, a[i], x) instead of if (c) a[i] = x, mmm::load_if(c, a[i], x) "
        "or mmm::select(c, x, y) instead of c ? x : y, and repeat with a condition "
        "instead of a loop up to an item");
    return false;
  }

  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool holds(assignment const& variables) const {
    values<Arithmetic> in(variables);
    return static_cast<Self const&>(*this).fold(in);
  }
};

//! True for a class with this base and for a reference to one. The bases are public, so that
//! __is_base_of is enough.
template <class Base, class T>
inline constexpr bool has_base = __is_base_of(Base, T);
template <class Base, class T>
inline constexpr bool has_base<Base, T&> = __is_base_of(Base, T);
template <class Base, class T>
inline constexpr bool has_base<Base, T&&> = __is_base_of(Base, T);
}  // namespace detail

//! **Concept: index expression.** A map from items to integers that the library can reason about.
//!
//! Minimal definition: built from mmm::item, integers, mmm::literal and `+ - * / % & | ^ << >>`,
//! `min`, `max`, `select`. Laws: `e(i)` is what the same C++ expression over an integer `i` gives;
//! division truncates as in C++; a shift is by 0 to 62.
template <class E>
concept expression = detail::has_base<detail::expression_base, E>;

//! A condition over items, from comparing expressions; combined by `&&`, `||`, `!`.
template <class P>
concept predicate = detail::has_base<detail::predicate_base, P>;

//! A variable: the item of a parallel-for, a loop's counter or a DMM's number.
struct variable : detail::expression_node<variable> {
  int slot = detail::item_slot;
  constexpr variable() = default;
  MMM_HOST_DEVICE constexpr explicit variable(int number) : slot(number) {}
  MMM_HOST_DEVICE constexpr variable(detail::expression_node<variable>, int number)
      : variable(number) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.variable(*this);
  }
};

//! The row or the column of a trapezoid's item. A type of its own: boxes of warps do not know such
//! variables.
template <int Slot>
struct trapezoid_variable : detail::expression_node<trapezoid_variable<Slot>> {
  static constexpr bool in_trapezoid = true;
  static constexpr int slot = Slot;
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.variable(*this);
  }
};

//! An integer in an expression, known when the expression is made.
struct constant : detail::expression_node<constant> {
  index number = 0;
  constexpr constant() = default;
  MMM_HOST_DEVICE constexpr explicit constant(index n) : number(n) {}
  MMM_HOST_DEVICE constexpr constant(detail::expression_node<constant>, index n) : constant(n) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.number(number);
  }
};

//! An integer in an expression, known from the type.
template <index Number>
struct literal_constant : detail::expression_node<literal_constant<Number>> {
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.number(Number);
  }
};

//! Two expressions under one operator.
template <detail::operation Op, class Left, class Right>
struct binary_expression
    : detail::expression_node<binary_expression<Op, Left, Right>, Left, Right> {
  static constexpr bool divides =
      detail::is(Op, detail::operation::divide) || detail::is(Op, detail::operation::modulo) ||
      detail::is(Op, detail::operation::shift_right) || Left::divides || Right::divides;
  Left left;
  Right right;
  constexpr binary_expression() = default;
  MMM_HOST_DEVICE constexpr binary_expression(Left l, Right r) : left(l), right(r) {}
  MMM_HOST_DEVICE constexpr binary_expression(
      detail::expression_node<binary_expression, Left, Right>, Left l, Right r)
      : binary_expression(l, r) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    auto const x = left.fold(in);
    auto const y = right.fold(in);
    return in.template operate<Op>(x, y);
  }
};

//! One of two expressions, by a condition.
template <class Condition, class Then, class Else>
struct select_expression
    : detail::expression_node<select_expression<Condition, Then, Else>, Condition, Then, Else> {
  Condition condition;
  Then then_value;
  Else else_value;
  constexpr select_expression() = default;
  MMM_HOST_DEVICE constexpr select_expression(Condition c, Then t, Else e)
      : condition(c), then_value(t), else_value(e) {}
  MMM_HOST_DEVICE constexpr select_expression(
      detail::expression_node<select_expression, Condition, Then, Else>, Condition c, Then t,
      Else e)
      : select_expression(c, t, e) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.select(condition, then_value, else_value);
  }
};

//! A comparison of two expressions.
template <detail::relation Relation, class Left, class Right>
struct comparison : detail::predicate_node<comparison<Relation, Left, Right>, Left, Right> {
  Left left;
  Right right;
  constexpr comparison() = default;
  MMM_HOST_DEVICE constexpr comparison(Left l, Right r) : left(l), right(r) {}
  MMM_HOST_DEVICE constexpr comparison(detail::predicate_node<comparison, Left, Right>, Left l,
                                       Right r)
      : comparison(l, r) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    auto const x = left.fold(in);
    auto const y = right.fold(in);
    return in.template relate<Relation>(x, y);
  }
};

//! Two predicates under `&&` or `||`; as in C++, the right one is evaluated only where the left one
//! does not decide.
template <detail::connective Connective, class Left, class Right>
struct combination : detail::predicate_node<combination<Connective, Left, Right>, Left, Right> {
  Left left;
  Right right;
  constexpr combination() = default;
  MMM_HOST_DEVICE constexpr combination(Left l, Right r) : left(l), right(r) {}
  MMM_HOST_DEVICE constexpr combination(detail::predicate_node<combination, Left, Right>, Left l,
                                        Right r)
      : combination(l, r) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.template connect<Connective>(left, right);
  }
};

//! The opposite of a predicate.
template <class Inner>
struct negation : detail::predicate_node<negation<Inner>, Inner> {
  Inner inner;
  constexpr negation() = default;
  MMM_HOST_DEVICE constexpr explicit negation(Inner p) : inner(p) {}
  MMM_HOST_DEVICE constexpr negation(detail::predicate_node<negation, Inner>, Inner p)
      : negation(p) {}
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    auto const p = inner.fold(in);
    return in.negate(p);
  }
};

namespace detail {
//! True if an expression or a predicate depends on the row or the column of a trapezoid's item.
template <class E>
inline constexpr bool in_trapezoid = E::in_trapezoid;
}  // namespace detail

//! The item that a thread handles: the variable of an index expression. `item(7) == 7`.
inline constexpr variable item{};

//! An integer known from the type, for use in expressions: `item * mmm::literal<33>`.
template <index Number>
inline constexpr literal_constant<Number> literal{};

namespace detail {

//! The predicate of an access that all lanes make.
struct always : predicate_node<always> {
  MMM_NO_SIDE_CHECK
  template <class Algebra>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto fold(Algebra& in) const {
    return in.everywhere();
  }
};

//! An index known from its type, whose value can also be used in a kernel.
template <index Number>
struct static_index {
  using value_type = index;
  static constexpr index value = Number;
  [[nodiscard]] MMM_HOST_DEVICE constexpr operator index() const {
    return Number;
  }  // NOLINT: it is an index
};

//! True for a type whose value is a constant: std::integral_constant, and what is built as it is.
template <class T>
inline constexpr bool is_integral_constant = false;
template <index Number>
inline constexpr bool is_integral_constant<static_index<Number>> = true;
template <template <class T, T Value> class Constant, class T, T Value>
requires(Constant<T, Value>::value == Value)
inline constexpr bool is_integral_constant<Constant<T, Value>> = true;

template <class T>
concept operand =
    expression<T> || integral<remove_cvref_t<T>> || is_integral_constant<remove_cvref_t<T>>;

//! At least one side is an expression, the other one is or can become one.
template <class L, class R>
concept operands = operand<L> && operand<R> && (expression<L> || expression<R>);

//! An integer of any type as an mmm::index; an unsigned one from 2^63 on is std::invalid_argument.
MMM_NO_SIDE_CHECK
template <class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr index as_index(T const& x) {
  if constexpr (unsigned_integral<T> && sizeof(T) >= sizeof(index))
    if (x > static_cast<std::uint64_t>(INT64_MAX))
      reject_unsigned("a number in an index expression", x, "less than 2^63");
  return static_cast<index>(x);
}

MMM_NO_SIDE_CHECK
template <class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto as_expression(T const& x) {
  if constexpr (expression<T>)
    return x;
  else if constexpr (is_integral_constant<T>)
    return literal_constant<as_index(T::value)>{};
  else
    return constant(as_index(x));
}
template <class T>
using as_expression_type = decltype(as_expression(declval<T const&>()));
}  // namespace detail

//! The operators of the list in index/algebra.hpp, with an expression on at least one side. An
//! unsigned number from 2^63 on is std::invalid_argument, or a compile error in a constant
//! expression. Operands are values: a reference to a constant of a class, as a tile's
//! `static constexpr` rows, is for nvcc a use of a variable that device code does not have.
#define MMM_DETAIL_OPERATOR(function, name, symbol, binding)                           \
  MMM_NO_SIDE_CHECK                                                                    \
  template <class L, class R>                                                          \
  requires detail::operands<L, R>                                                      \
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto function(L l, R r) {                    \
    return binary_expression<detail::operation::name, detail::as_expression_type<L>,   \
                             detail::as_expression_type<R>>(detail::as_expression(l),  \
                                                            detail::as_expression(r)); \
  }
MMM_DETAIL_OPERATORS(MMM_DETAIL_OPERATOR)
#undef MMM_DETAIL_OPERATOR

//! The expression with its sign changed.
MMM_NO_SIDE_CHECK
template <expression E>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator-(E const& e) {
  return index{0} - e;
}

//! The comparisons of that list; they give predicates.
#define MMM_DETAIL_RELATION(function, name, symbol, binding)                    \
  MMM_NO_SIDE_CHECK                                                             \
  template <class L, class R>                                                   \
  requires detail::operands<L, R>                                               \
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto function(L l, R r) {             \
    return comparison<detail::relation::name, detail::as_expression_type<L>,    \
                      detail::as_expression_type<R>>(detail::as_expression(l),  \
                                                     detail::as_expression(r)); \
  }
MMM_DETAIL_RELATIONS(MMM_DETAIL_RELATION)
#undef MMM_DETAIL_RELATION

//! Both predicates, either one, and the opposite of one; values are those of C++'s `&&`, `||`, `!`.
template <predicate P, predicate Q>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator&&(P const& p, Q const& q) {
  return combination<detail::connective::both, P, Q>(p, q);
}
template <predicate P, predicate Q>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator||(P const& p, Q const& q) {
  return combination<detail::connective::either, P, Q>(p, q);
}
template <predicate P>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator!(P const& p) {
  return negation<P>(p);
}

//! `condition ? a : b` for expressions; the other interpretations of an index overload it, too.
MMM_NO_SIDE_CHECK
template <predicate P, class A, class B>
requires(detail::operand<A> && detail::operand<B>)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto select(P const& p, A a, B b) {
  return select_expression<P, detail::as_expression_type<A>, detail::as_expression_type<B>>(
      p, detail::as_expression(a), detail::as_expression(b));
}

//! `min`, `max` and `select` of integers, for bodies called with integers.
template <detail::integral A, detail::integral B>
[[nodiscard]] MMM_HOST_DEVICE constexpr index min(A a, B b) {
  return detail::smaller(static_cast<index>(a), static_cast<index>(b));
}
template <detail::integral A, detail::integral B>
[[nodiscard]] MMM_HOST_DEVICE constexpr index max(A a, B b) {
  return detail::larger(static_cast<index>(a), static_cast<index>(b));
}
template <detail::integral A>
[[nodiscard]] MMM_HOST_DEVICE constexpr A min(A a, A b) {
  return b < a ? b : a;
}
template <detail::integral A>
[[nodiscard]] MMM_HOST_DEVICE constexpr A max(A a, A b) {
  return a < b ? b : a;
}
template <class A, class B>
[[nodiscard]] MMM_HOST_DEVICE constexpr detail::common_type_t<A, B> select(bool condition, A a,
                                                                           B b) {
  return condition ? static_cast<detail::common_type_t<A, B>>(a)
                   : static_cast<detail::common_type_t<A, B>>(b);
}

}  // namespace mmm
