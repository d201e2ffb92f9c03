// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

#include <concepts>
#include <type_traits>

//! Index expressions: what an address is, as a value whose type is its syntax tree. They know no
//! machine.
//!
//! All nodes are structural types, so that an expression can be a template argument and compilers
//! print its numbers. Each has a constructor that takes its empty base first: nvcc writes template
//! arguments back as if nodes were aggregates.
namespace mmm {

namespace detail {
struct expression_base {};
struct predicate_base {};

//! The variables of an expression: slot 0 the item, slot 1 the number of the DMM, from slot 2 on
//! the loops by depth, then row and column of a trapezoid's item.
inline constexpr int item_slot = 0;
inline constexpr int dmm_slot = 1;
inline constexpr int first_loop_slot = 2;
inline constexpr int slot_count = 8;  //!< without row and column, which no box has
inline constexpr int row_slot = slot_count;
inline constexpr int column_slot = row_slot + 1;
inline constexpr int all_slots = column_slot + 1;

//! A value for every variable.
struct assignment {
  index slot[all_slots] = {};
};

enum class operation {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  minimum,
  maximum
};
enum class relation { less, equal };
enum class connective { both, either };

//! Machine arithmetic, as a kernel does it.
struct plain_arithmetic {
  MMM_HOST_DEVICE static constexpr index add(index a, index b) { return a + b; }
  MMM_HOST_DEVICE static constexpr index subtract(index a, index b) { return a - b; }
  MMM_HOST_DEVICE static constexpr index multiply(index a, index b) { return a * b; }
  MMM_HOST_DEVICE static constexpr index divisor(index b) { return b; }
};

//! The same with overflow and division by zero refused, for costs.
struct checked_arithmetic {
  static constexpr index add(index a, index b) { return checked_add(a, b); }
  static constexpr index subtract(index a, index b) { return checked_subtract(a, b); }
  static constexpr index multiply(index a, index b) { return checked_multiply(a, b); }
  static constexpr index divisor(index b) {
    if (b == 0) reject("a divisor in an index expression", b, "anything but 0");
    return b;
  }
};

MMM_NO_SIDE_CHECK
template <operation Op, class Arithmetic>
[[nodiscard]] MMM_HOST_DEVICE constexpr index apply_operation(index a, index b) {
  if constexpr (Op == operation::add)
    return Arithmetic::add(a, b);
  else if constexpr (Op == operation::subtract)
    return Arithmetic::subtract(a, b);
  else if constexpr (Op == operation::multiply)
    return Arithmetic::multiply(a, b);
  else if constexpr (Op == operation::divide)
    return a / Arithmetic::divisor(b);
  else if constexpr (Op == operation::modulo)
    return a % Arithmetic::divisor(b);
  else if constexpr (Op == operation::bit_and)
    return a & b;
  else if constexpr (Op == operation::bit_or)
    return a | b;
  else if constexpr (Op == operation::bit_xor)
    return a ^ b;
  else if constexpr (Op == operation::shift_left)
    return Arithmetic::multiply(a, index{1} << b);
  else if constexpr (Op == operation::shift_right)
    return a >> b;
  else if constexpr (Op == operation::minimum)
    return b < a ? b : a;
  else
    return a < b ? b : a;
}

//! What every node offers: its value at one item.
template <class Self>
struct evaluated_at_item : expression_base {
  //! The value at item `i`, all other variables 0. Host and device. Time: one operation per node.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index operator()(index i) const {
    assignment at;
    at.slot[item_slot] = i;
    return static_cast<Self const&>(*this).template value<plain_arithmetic>(at);
  }
};
}  // namespace detail

//! **Concept: index expression.** A map from items to integers that the library can reason about.
//!
//! Minimal definition: built from mmm::item, integers, mmm::literal and `+ - * / % & | ^ << >>`,
//! `min`, `max`, `select`. Laws: `e(i)` is what the same C++ expression over an integer `i` gives;
//! division truncates as in C++.
template <class E>
concept expression = std::derived_from<std::remove_cvref_t<E>, detail::expression_base>;

//! A condition over items, from comparing expressions; combined by `&&`, `||`, `!`.
template <class P>
concept predicate = std::derived_from<std::remove_cvref_t<P>, detail::predicate_base>;

//! A variable: the item of a parallel-for, a loop's counter or a DMM's number.
struct variable : detail::evaluated_at_item<variable> {
  int slot = detail::item_slot;
  constexpr variable() = default;
  MMM_HOST_DEVICE constexpr explicit variable(int number) : slot(number) {}
  MMM_HOST_DEVICE constexpr variable(detail::evaluated_at_item<variable>, int number)
      : variable(number) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(detail::assignment const& at) const {
    return at.slot[slot];
  }
};

//! The row or the column of a trapezoid's item: variables of a type of their own, which tells what
//! boxes cannot do.
template <int Slot>
struct trapezoid_variable : detail::evaluated_at_item<trapezoid_variable<Slot>> {
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(detail::assignment const& at) const {
    return at.slot[Slot];
  }
};

//! An integer in an expression, known when the expression is made.
struct constant : detail::evaluated_at_item<constant> {
  index number = 0;
  constexpr constant() = default;
  MMM_HOST_DEVICE constexpr explicit constant(index n) : number(n) {}
  MMM_HOST_DEVICE constexpr constant(detail::evaluated_at_item<constant>, index n) : constant(n) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(detail::assignment const&) const {
    return number;
  }
};

//! An integer in an expression, known from the type.
template <index Number>
struct literal_constant : detail::evaluated_at_item<literal_constant<Number>> {
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(detail::assignment const&) const {
    return Number;
  }
};

//! Two expressions under one operator.
template <detail::operation Op, class Left, class Right>
struct binary_expression : detail::evaluated_at_item<binary_expression<Op, Left, Right>> {
  Left left;
  Right right;
  constexpr binary_expression() = default;
  MMM_HOST_DEVICE constexpr binary_expression(Left l, Right r) : left(l), right(r) {}
  MMM_HOST_DEVICE constexpr binary_expression(detail::evaluated_at_item<binary_expression>, Left l,
                                              Right r)
      : binary_expression(l, r) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(detail::assignment const& at) const {
    return detail::apply_operation<Op, Arithmetic>(left.template value<Arithmetic>(at),
                                                   right.template value<Arithmetic>(at));
  }
};

//! One of two expressions, by a condition.
template <class Condition, class Then, class Else>
struct select_expression : detail::evaluated_at_item<select_expression<Condition, Then, Else>> {
  Condition condition;
  Then then_value;
  Else else_value;
  constexpr select_expression() = default;
  MMM_HOST_DEVICE constexpr select_expression(Condition c, Then t, Else e)
      : condition(c), then_value(t), else_value(e) {}
  MMM_HOST_DEVICE constexpr select_expression(detail::evaluated_at_item<select_expression>,
                                              Condition c, Then t, Else e)
      : select_expression(c, t, e) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index value(detail::assignment const& at) const {
    return condition.template holds<Arithmetic>(at) ? then_value.template value<Arithmetic>(at)
                                                    : else_value.template value<Arithmetic>(at);
  }
};

//! A comparison of two expressions.
template <detail::relation Relation, class Left, class Right>
struct comparison : detail::predicate_base {
  Left left;
  Right right;
  constexpr comparison() = default;
  MMM_HOST_DEVICE constexpr comparison(Left l, Right r) : left(l), right(r) {}
  MMM_HOST_DEVICE constexpr comparison(detail::predicate_base, Left l, Right r)
      : comparison(l, r) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool holds(detail::assignment const& at) const {
    index const a = left.template value<Arithmetic>(at);
    index const b = right.template value<Arithmetic>(at);
    return Relation == detail::relation::less ? a < b : a == b;
  }
};

//! Two predicates under `&&` or `||`.
template <detail::connective Connective, class Left, class Right>
struct combination : detail::predicate_base {
  Left left;
  Right right;
  constexpr combination() = default;
  MMM_HOST_DEVICE constexpr combination(Left l, Right r) : left(l), right(r) {}
  MMM_HOST_DEVICE constexpr combination(detail::predicate_base, Left l, Right r)
      : combination(l, r) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool holds(detail::assignment const& at) const {
    bool const a = left.template holds<Arithmetic>(at);
    bool const b = right.template holds<Arithmetic>(at);
    return Connective == detail::connective::both ? a && b : a || b;
  }
};

//! The opposite of a predicate.
template <class Inner>
struct negation : detail::predicate_base {
  Inner inner;
  constexpr negation() = default;
  MMM_HOST_DEVICE constexpr explicit negation(Inner p) : inner(p) {}
  MMM_HOST_DEVICE constexpr negation(detail::predicate_base, Inner p) : negation(p) {}
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool holds(detail::assignment const& at) const {
    return !inner.template holds<Arithmetic>(at);
  }
};

namespace detail {
//! Whether an expression or a predicate depends on the row or the column of a trapezoid's item.
template <class E>
inline constexpr bool in_trapezoid = false;
template <int Slot>
inline constexpr bool in_trapezoid<trapezoid_variable<Slot>> = true;
template <operation Op, class L, class R>
inline constexpr bool in_trapezoid<binary_expression<Op, L, R>> =
    in_trapezoid<L> || in_trapezoid<R>;
template <class C, class A, class B>
inline constexpr bool in_trapezoid<select_expression<C, A, B>> =
    in_trapezoid<C> || in_trapezoid<A> || in_trapezoid<B>;
template <relation Relation, class L, class R>
inline constexpr bool in_trapezoid<comparison<Relation, L, R>> = in_trapezoid<L> || in_trapezoid<R>;
template <connective Connective, class L, class R>
inline constexpr bool in_trapezoid<combination<Connective, L, R>> =
    in_trapezoid<L> || in_trapezoid<R>;
template <class P>
inline constexpr bool in_trapezoid<negation<P>> = in_trapezoid<P>;
}  // namespace detail

//! The item that a thread handles: the variable of an index expression. `item(7) == 7`.
inline constexpr variable item{};

//! An integer known from the type, for use in expressions: `item * mmm::literal<33>`.
template <index Number>
inline constexpr literal_constant<Number> literal{};

namespace detail {

//! The predicate of an access that all lanes make.
struct always : predicate_base {
  MMM_NO_SIDE_CHECK
  template <class Arithmetic>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool holds(assignment const&) const {
    return true;
  }
};

//! An index known from the type whose value a kernel may use, too.
template <index Number>
struct static_index : std::integral_constant<index, Number> {
  [[nodiscard]] MMM_HOST_DEVICE constexpr operator index() const {
    return Number;
  }  // NOLINT: it is an index
};

template <class T>
struct is_integral_constant : std::false_type {};
template <index Number>
struct is_integral_constant<static_index<Number>> : std::true_type {};
template <class T, T Value>
struct is_integral_constant<std::integral_constant<T, Value>> : std::true_type {};

template <class T>
concept operand = expression<T> || std::integral<std::remove_cvref_t<T>> ||
                  is_integral_constant<std::remove_cvref_t<T>>::value;

//! At least one side is an expression, the other one is or can become one.
template <class L, class R>
concept operands = operand<L> && operand<R> && (expression<L> || expression<R>);

template <class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto as_expression(T const& x) {
  if constexpr (expression<T>)
    return x;
  else if constexpr (is_integral_constant<T>::value)
    return literal_constant<static_cast<index>(T::value)>{};
  else
    return constant(static_cast<index>(x));
}

template <operation Op, class L, class R>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_binary(L const& l, R const& r) {
  return binary_expression<Op, decltype(as_expression(l)), decltype(as_expression(r))>(
      as_expression(l), as_expression(r));
}

template <relation Relation, class L, class R>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_comparison(L const& l, R const& r) {
  return comparison<Relation, decltype(as_expression(l)), decltype(as_expression(r))>(
      as_expression(l), as_expression(r));
}
}  // namespace detail

#define MMM_DETAIL_OPERATOR(symbol, name)                                       \
  template <class L, class R>                                                   \
  requires detail::operands<L, R>                                               \
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto symbol(L const& l, R const& r) { \
    return detail::make_binary<detail::operation::name>(l, r);                  \
  }
MMM_DETAIL_OPERATOR(operator+, add)
MMM_DETAIL_OPERATOR(operator-, subtract)
MMM_DETAIL_OPERATOR(operator*, multiply)
MMM_DETAIL_OPERATOR(operator/, divide)
MMM_DETAIL_OPERATOR(operator%, modulo)
MMM_DETAIL_OPERATOR(operator&, bit_and)
MMM_DETAIL_OPERATOR(operator|, bit_or)
MMM_DETAIL_OPERATOR(operator^, bit_xor)
MMM_DETAIL_OPERATOR(operator<<, shift_left)
MMM_DETAIL_OPERATOR(operator>>, shift_right)
MMM_DETAIL_OPERATOR(min, minimum)
MMM_DETAIL_OPERATOR(max, maximum)
#undef MMM_DETAIL_OPERATOR

//! The expression with its sign changed.
template <expression E>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator-(E const& e) {
  return detail::make_binary<detail::operation::subtract>(index{0}, e);
}

#define MMM_DETAIL_RELATION(symbol, result)                                     \
  template <class L, class R>                                                   \
  requires detail::operands<L, R>                                               \
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto symbol(L const& l, R const& r) { \
    return result;                                                              \
  }
MMM_DETAIL_RELATION(operator<, detail::make_comparison<detail::relation::less>(l, r))
MMM_DETAIL_RELATION(operator>, detail::make_comparison<detail::relation::less>(r, l))
MMM_DETAIL_RELATION(operator==, detail::make_comparison<detail::relation::equal>(l, r))
MMM_DETAIL_RELATION(operator<=, negation(detail::make_comparison<detail::relation::less>(r, l)))
MMM_DETAIL_RELATION(operator>=, negation(detail::make_comparison<detail::relation::less>(l, r)))
MMM_DETAIL_RELATION(operator!=, negation(detail::make_comparison<detail::relation::equal>(l, r)))
#undef MMM_DETAIL_RELATION

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

//! `condition ? a : b` for expressions; the other interpretations of an index overload it alike.
template <predicate P, class A, class B>
requires(detail::operand<A> && detail::operand<B>)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto select(P const& p, A const& a, B const& b) {
  return select_expression<P, decltype(detail::as_expression(a)),
                           decltype(detail::as_expression(b))>(p, detail::as_expression(a),
                                                               detail::as_expression(b));
}

//! The plain meaning of `min`, `max` and `select`, for bodies called with integers.
template <std::integral A, std::integral B>
[[nodiscard]] MMM_HOST_DEVICE constexpr index min(A a, B b) {
  return detail::smaller(static_cast<index>(a), static_cast<index>(b));
}
template <std::integral A, std::integral B>
[[nodiscard]] MMM_HOST_DEVICE constexpr index max(A a, B b) {
  return detail::larger(static_cast<index>(a), static_cast<index>(b));
}
template <class A, class B>
[[nodiscard]] MMM_HOST_DEVICE constexpr std::common_type_t<A, B> select(bool condition, A a, B b) {
  return condition ? static_cast<std::common_type_t<A, B>>(a)
                   : static_cast<std::common_type_t<A, B>>(b);
}

}  // namespace mmm
