// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

//! The operators of index expressions, and algebras, which give them a meaning.
namespace mmm {

//! The operators of the language: C++ function, name, symbol and precedence. The overloads for
//! expressions and for warp-wide indices (index/warp_index.hpp) follow from the list.
#define MMM_DETAIL_OPERATORS(OPERATOR)           \
  OPERATOR(operator+, add, "+", sum)             \
  OPERATOR(operator-, subtract, "-", sum)        \
  OPERATOR(operator*, multiply, "*", product)    \
  OPERATOR(operator/, divide, "/", product)      \
  OPERATOR(operator%, modulo, "%", product)      \
  OPERATOR(operator&, bit_and, "&", bit_and)     \
  OPERATOR(operator|, bit_or, "|", bit_or)       \
  OPERATOR(operator^, bit_xor, "^", bit_xor)     \
  OPERATOR(operator<<, shift_left, "<<", shift)  \
  OPERATOR(operator>>, shift_right, ">>", shift) \
  OPERATOR(min, minimum, "min", call)            \
  OPERATOR(max, maximum, "max", call)

//! The comparisons of the language, in the same way.
#define MMM_DETAIL_RELATIONS(RELATION)        \
  RELATION(operator<, less, "<", order)       \
  RELATION(operator>, greater, ">", order)    \
  RELATION(operator<=, at_most, "<=", order)  \
  RELATION(operator>=, at_least, ">=", order) \
  RELATION(operator==, equal, "==", equality) \
  RELATION(operator!=, unequal, "!=", equality)

namespace detail {
//! The variables of an expression: slot 0 is the item, slot 1 the number of the DMM, from slot 2 on
//! the counters of loops by depth, then row and column of a trapezoid's item.
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

#define MMM_DETAIL_NAME(function, name, symbol, binding) name,
enum class operation { MMM_DETAIL_OPERATORS(MMM_DETAIL_NAME) };
enum class relation { MMM_DETAIL_RELATIONS(MMM_DETAIL_NAME) };
enum class connective { both, either };
#undef MMM_DETAIL_NAME

//! True if both are the same: see `is` of machine/machine.hpp.
[[nodiscard]] constexpr bool is(operation a, operation b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
[[nodiscard]] constexpr bool is(relation a, relation b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
[[nodiscard]] constexpr bool is(connective a, connective b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

//! **Algebra**: the meaning of every node of an expression in some domain, of which
//! `expression.fold(algebra)` computes the expression's element from the leaves upwards.
//!
//! Minimal definition, for elements x, y of expressions and p, q of predicates: `variable(v)`,
//! `number(n)`, `everywhere()`, `add`, `subtract`, `multiply`, `divide`, `modulo`, `bit_and`,
//! `power_of_two(y)`, `shift_right`, `less(x, y)`, `equal(x, y)`, `negate(p)`,
//! `combine<connective>(p, q)`, `choose(p, x, y)`. The other operators are defined here by those,
//! and an algebra hides a definition that loses something in its domain. An algebra that treats all
//! operators in the same way defines `operate<operation>(x, y)` and `relate<relation>(x, y)`
//! instead. Law: nodes are folded from left to right.
template <class Self>
struct algebra {
  //! True if the algebra has a meaning of its own for the words of an array's elements
  //! (index/element.hpp): `array_element(e)`.
  static constexpr bool checks_bounds = false;

  MMM_NO_SIDE_CHECK
  template <operation Op, class X, class Y>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operate(X const& x, Y const& y) {
#define MMM_DETAIL_CALL(function, name, symbol, binding) \
  if constexpr (is(Op, operation::name))                 \
    return self().name(x, y);                            \
  else
    MMM_DETAIL_OPERATORS(MMM_DETAIL_CALL)
    return;
#undef MMM_DETAIL_CALL
  }
  MMM_NO_SIDE_CHECK
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr X bit_or(X const& x, X const& y) {
    return self().subtract(self().add(x, y), self().bit_and(x, y));
  }
  MMM_NO_SIDE_CHECK
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr X bit_xor(X const& x, X const& y) {
    return self().subtract(self().add(x, y),
                           self().multiply(self().bit_and(x, y), self().number(2)));
  }
  MMM_NO_SIDE_CHECK
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr X shift_left(X const& x, X const& y) {
    return self().multiply(x, self().power_of_two(y));
  }
  MMM_NO_SIDE_CHECK
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr X minimum(X const& x, X const& y) {
    return self().choose(self().less(y, x), y, x);
  }
  MMM_NO_SIDE_CHECK
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr X maximum(X const& x, X const& y) {
    return self().choose(self().less(x, y), y, x);
  }

  MMM_NO_SIDE_CHECK
  template <relation Relation, class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto relate(X const& x, X const& y) {
    if constexpr (is(Relation, relation::less))
      return self().less(x, y);
    else if constexpr (is(Relation, relation::greater))
      return self().less(y, x);
    else if constexpr (is(Relation, relation::at_most))
      return self().negate(self().less(y, x));
    else if constexpr (is(Relation, relation::at_least))
      return self().negate(self().less(x, y));
    else if constexpr (is(Relation, relation::equal))
      return self().equal(x, y);
    else
      return self().negate(self().equal(x, y));
  }

  //! The nodes below are not folded yet, because a domain may need one side only.
  MMM_NO_SIDE_CHECK
  template <class Condition, class Then, class Else>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto select(Condition const& condition, Then const& a,
                                                      Else const& b) {
    auto const p = condition.fold(self());
    auto const x = a.fold(self());
    auto const y = b.fold(self());
    return self().choose(p, x, y);
  }
  MMM_NO_SIDE_CHECK
  template <connective Connective, class P, class Q>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto connect(P const& left, Q const& right) {
    auto const p = left.fold(self());
    auto const q = right.fold(self());
    return self().template combine<Connective>(p, q);
  }

 private:
  [[nodiscard]] MMM_HOST_DEVICE constexpr Self& self() { return static_cast<Self&>(*this); }
};

//! The arithmetic of a kernel. Nothing is checked.
struct plain_arithmetic {
  MMM_HOST_DEVICE static constexpr index add(index a, index b) { return a + b; }
  MMM_HOST_DEVICE static constexpr index subtract(index a, index b) { return a - b; }
  MMM_HOST_DEVICE static constexpr index multiply(index a, index b) { return a * b; }
  MMM_HOST_DEVICE static constexpr index divide(index a, index b) { return a / b; }
  MMM_HOST_DEVICE static constexpr index modulo(index a, index b) { return a % b; }
  MMM_HOST_DEVICE static constexpr index shift(index b) { return b; }
};

//! The arithmetic of costs: an operation without a result in 64 bits is refused, by an exception at
//! run time and by a compile error in a constant expression.
struct checked_arithmetic {
  static constexpr index add(index a, index b) { return checked_add(a, b); }
  static constexpr index subtract(index a, index b) { return checked_subtract(a, b); }
  static constexpr index multiply(index a, index b) { return checked_multiply(a, b); }
  static constexpr index divide(index a, index b) {
    if (a == INT64_MIN && b == -1) reject_overflow("-9223372036854775808 / -1");
    return a / divisor(b);
  }
  static constexpr index modulo(index a, index b) {
    if (a == INT64_MIN && b == -1) reject_overflow("-9223372036854775808 % -1");
    return a % divisor(b);
  }
  static constexpr index divisor(index b) {
    if (b == 0) reject("a divisor in an index expression", b, "anything but 0");
    return b;
  }
  //! The bits of a shift, 0 to 62, so that the power of two fits into 64 bits.
  static constexpr index shift(index b) {
    if (b < 0 || b > 62) reject("a shift in an index expression", b, "a constant from 0 to 62");
    return b;
  }
};

//! The algebra of values: folds an expression to its value at an assignment of its variables.
template <class Arithmetic>
struct values : algebra<values<Arithmetic>> {
  using element = index;
  using truth = bool;
  assignment const* assigned = nullptr;

  constexpr values() = default;
  MMM_HOST_DEVICE constexpr explicit values(assignment const& variables) : assigned(&variables) {}

  template <class Variable>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index variable(Variable const& v) const {
    return assigned->slot[v.slot];
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool everywhere() const { return true; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index number(index n) const { return n; }
  //! The most frequent operators without a detour, for compilers that count the operations of a
  //! constant expression.
  MMM_NO_SIDE_CHECK
  template <operation Op>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index operate(index a, index b) {
    if constexpr (is(Op, operation::add))
      return Arithmetic::add(a, b);
    else if constexpr (is(Op, operation::subtract))
      return Arithmetic::subtract(a, b);
    else if constexpr (is(Op, operation::multiply))
      return Arithmetic::multiply(a, b);
    else if constexpr (is(Op, operation::divide))
      return Arithmetic::divide(a, b);
    else if constexpr (is(Op, operation::modulo))
      return Arithmetic::modulo(a, b);
    else
      return algebra<values>::template operate<Op>(a, b);
  }
  MMM_NO_SIDE_CHECK
  template <relation Relation>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool relate(index a, index b) {
    if constexpr (is(Relation, relation::less))
      return a < b;
    else if constexpr (is(Relation, relation::at_least))
      return a >= b;
    else
      return algebra<values>::template relate<Relation>(a, b);
  }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index add(index a, index b) const {
    return Arithmetic::add(a, b);
  }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index subtract(index a, index b) const {
    return Arithmetic::subtract(a, b);
  }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index multiply(index a, index b) const {
    return Arithmetic::multiply(a, b);
  }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index divide(index a, index b) const {
    return Arithmetic::divide(a, b);
  }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index modulo(index a, index b) const {
    return Arithmetic::modulo(a, b);
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index bit_and(index a, index b) const { return a & b; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index bit_or(index a, index b) const { return a | b; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index bit_xor(index a, index b) const { return a ^ b; }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index power_of_two(index b) const {
    return index{1} << Arithmetic::shift(b);
  }
  MMM_NO_SIDE_CHECK
  [[nodiscard]] MMM_HOST_DEVICE constexpr index shift_right(index a, index b) const {
    return a >> Arithmetic::shift(b);
  }

  [[nodiscard]] MMM_HOST_DEVICE constexpr bool less(index a, index b) const { return a < b; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool equal(index a, index b) const { return a == b; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool negate(bool p) const { return !p; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index choose(bool p, index a, index b) const {
    return p ? a : b;
  }
  MMM_NO_SIDE_CHECK
  template <class Condition, class Then, class Else>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index select(Condition const& p, Then const& a,
                                                       Else const& b) {
    return p.fold(*this) ? a.fold(*this) : b.fold(*this);
  }
  MMM_NO_SIDE_CHECK
  template <connective Connective, class P, class Q>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool connect(P const& p, Q const& q) {
    if constexpr (is(Connective, connective::both))
      return p.fold(*this) && q.fold(*this);
    else
      return p.fold(*this) || q.fold(*this);
  }
};

//! The arithmetic of the side that the code is compiled for: on the device nothing is checked.
#if defined(__CUDA_ARCH__)
using arithmetic_here = plain_arithmetic;
#else
using arithmetic_here = checked_arithmetic;
#endif

}  // namespace detail
}  // namespace mmm
