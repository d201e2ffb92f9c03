// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>

#include <type_traits>

//! Expressions for accesses of several words at once: every item stands for some neighbours of its
//! own, one for a word.
namespace mmm::detail {

//! The expression over items of `words` neighbours each, over those neighbours: `e(item / words)`.
[[nodiscard]] constexpr auto over_words(variable const& v, index words) {
  return binary_expression<operation::divide, variable, constant>(
      v, constant(v.slot == item_slot ? words : 1));
}
[[nodiscard]] constexpr constant over_words(constant const& c, index) { return c; }
template <index Number>
[[nodiscard]] constexpr literal_constant<Number> over_words(literal_constant<Number> const& c,
                                                            index) {
  return c;
}
[[nodiscard]] constexpr always over_words(always const& p, index) { return p; }
template <operation Op, class L, class R>
[[nodiscard]] constexpr auto over_words(binary_expression<Op, L, R> const& e, index words);
template <class C, class A, class B>
[[nodiscard]] constexpr auto over_words(select_expression<C, A, B> const& e, index words);
template <connective Connective, class L, class R>
[[nodiscard]] constexpr auto over_words(combination<Connective, L, R> const& p, index words);
template <class P>
[[nodiscard]] constexpr auto over_words(negation<P> const& p, index words);
template <relation Relation, class L, class R>
[[nodiscard]] constexpr auto over_words(comparison<Relation, L, R> const& p, index words) {
  auto const left = over_words(p.left, words);
  auto const right = over_words(p.right, words);
  return comparison<Relation, std::remove_const_t<decltype(left)>,
                    std::remove_const_t<decltype(right)>>(left, right);
}
template <connective Connective, class L, class R>
[[nodiscard]] constexpr auto over_words(combination<Connective, L, R> const& p, index words) {
  auto const left = over_words(p.left, words);
  auto const right = over_words(p.right, words);
  return combination<Connective, std::remove_const_t<decltype(left)>,
                     std::remove_const_t<decltype(right)>>(left, right);
}
template <class P>
[[nodiscard]] constexpr auto over_words(negation<P> const& p, index words) {
  auto const inner = over_words(p.inner, words);
  return negation<std::remove_const_t<decltype(inner)>>(inner);
}
template <class C, class A, class B>
[[nodiscard]] constexpr auto over_words(select_expression<C, A, B> const& e, index words) {
  return select(over_words(e.condition, words), over_words(e.then_value, words),
                over_words(e.else_value, words));
}
template <operation Op, class L, class R>
[[nodiscard]] constexpr auto over_words(binary_expression<Op, L, R> const& e, index words) {
  return make_binary<Op>(over_words(e.left, words), over_words(e.right, words));
}

//! What is known of a value: `residue` up to a multiple of `modulus`, a divisor of the number asked
//! about.
struct congruence {
  index modulus;
  index residue;

  constexpr congruence(index m, index r) : modulus(m), residue(floor_modulo(r, m)) {}
};

//! What is known of the values of an expression up to multiples of `of > 0`. True in any case, not
//! always all there is to know.
template <class E>
[[nodiscard]] constexpr congruence congruence_of(E const&, index) {
  return {1, 0};
}
[[nodiscard]] constexpr congruence congruence_of(constant const& c, index of) {
  return {of, c.number};
}
template <index Number>
[[nodiscard]] constexpr congruence congruence_of(literal_constant<Number> const&, index of) {
  return {of, Number};
}
template <class C, class A, class B>
[[nodiscard]] constexpr congruence congruence_of(select_expression<C, A, B> const& e, index of);
template <operation Op, class L, class R>
[[nodiscard]] constexpr congruence congruence_of(binary_expression<Op, L, R> const& e, index of) {
  congruence const x = congruence_of(e.left, of);
  congruence const y = congruence_of(e.right, of);
  index const both = gcd(x.modulus, y.modulus);
  if constexpr (Op == operation::add) {
    return {both, x.residue + y.residue};
  } else if constexpr (Op == operation::subtract) {
    return {both, x.residue - y.residue};
  } else if constexpr (Op == operation::multiply) {
    index const mixed = gcd(x.residue * y.modulus, y.residue * x.modulus);
    return {gcd(of, gcd(mixed, x.modulus * y.modulus)), x.residue * y.residue};
  } else if constexpr (Op == operation::modulo && std::is_same_v<R, constant>) {
    return {gcd(x.modulus, e.right.number), x.residue};
  } else if constexpr (Op == operation::minimum || Op == operation::maximum) {
    return {gcd(both, x.residue - y.residue), x.residue};
  } else if constexpr (Op == operation::bit_xor) {
    if ((both & (both - 1)) == 0) return {both, x.residue ^ y.residue};
    return {1, 0};
  } else {
    return {1, 0};
  }
}
template <class C, class A, class B>
[[nodiscard]] constexpr congruence congruence_of(select_expression<C, A, B> const& e, index of) {
  congruence const x = congruence_of(e.then_value, of);
  congruence const y = congruence_of(e.else_value, of);
  return {gcd(gcd(x.modulus, y.modulus), x.residue - y.residue), x.residue};
}

//! Whether every value of the expression is known to be a multiple of `of > 0`.
template <expression E>
[[nodiscard]] constexpr bool known_multiple(E const& e, index of) {
  congruence const known = congruence_of(e, of);
  return known.modulus == of && known.residue == 0;
}

}  // namespace mmm::detail
