// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/rewriting.hpp>

//! Expressions for accesses of several words at once: every item stands for some neighbours of its
//! own, one for a word.
namespace mmm::detail {

//! The algebra of expressions over the words of items: `e(item / words)` for an expression e over
//! items of `words` neighbours each.
struct over_words_of : rewriting<over_words_of> {
  index words;
  constexpr explicit over_words_of(index words_of_item) : words(words_of_item) {}

  [[nodiscard]] constexpr auto variable(mmm::variable const& v) const {
    return v / constant(v.slot == item_slot ? words : 1);
  }
};

template <class E>
[[nodiscard]] constexpr auto over_words(E const& e, index words) {
  over_words_of in(words);
  return e.fold(in);
}

//! Partial knowledge of a value: it is `residue` up to a multiple of `modulus`, which divides the
//! number asked about.
struct congruence {
  index modulus;
  index residue;
  bool exact = false;  //!< the value is `number`
  index number = 0;

  constexpr congruence(index m, index r) : modulus(m), residue(floor_modulo(r, m)) {}
};

//! The algebra of congruences up to multiples of `divisor`, 1 … 2^31. The modulus found may be
//! smaller than the largest one that is true.
template <class Number>
struct congruences : algebra<congruences<Number>> {
  using element = congruence;
  Number divisor;
  constexpr explicit congruences(Number asked) : divisor(asked) {}

  template <class Variable>
  [[nodiscard]] constexpr element variable(Variable const&) const {
    return anything();
  }
  [[nodiscard]] constexpr element number(index n) const {
    element result(divisor, n);
    result.exact = true;
    result.number = n;
    return result;
  }
  [[nodiscard]] constexpr element add(element const& x, element const& y) const {
    return {gcd(x.modulus, y.modulus), x.residue + y.residue};
  }
  [[nodiscard]] constexpr element subtract(element const& x, element const& y) const {
    return {gcd(x.modulus, y.modulus), x.residue - y.residue};
  }
  [[nodiscard]] constexpr element multiply(element const& x, element const& y) const {
    index const mixed = gcd(x.residue * y.modulus, y.residue * x.modulus);
    return {gcd(divisor, gcd(mixed, x.modulus * y.modulus)), x.residue * y.residue};
  }
  [[nodiscard]] constexpr element divide(element const&, element const&) const {
    return anything();
  }
  [[nodiscard]] constexpr element modulo(element const& x, element const& y) const {
    if (!y.exact || y.number == INT64_MIN) return anything();
    return {gcd(x.modulus, y.number), x.residue};
  }
  [[nodiscard]] constexpr element bit_and(element const&, element const&) const {
    return anything();
  }
  [[nodiscard]] constexpr element bit_or(element const&, element const&) const {
    return anything();
  }
  [[nodiscard]] constexpr element bit_xor(element const& x, element const& y) const {
    index const both = gcd(x.modulus, y.modulus);
    if ((both & (both - 1)) != 0) return anything();
    return {both, x.residue ^ y.residue};
  }
  [[nodiscard]] constexpr element power_of_two(element const& y) const {
    return y.exact && y.number >= 0 && y.number <= 62 ? number(index{1} << y.number) : anything();
  }
  [[nodiscard]] constexpr element shift_right(element const&, element const&) const {
    return anything();
  }

  struct truth {};
  [[nodiscard]] constexpr element choose(truth, element const& x, element const& y) const {
    return {gcd(gcd(x.modulus, y.modulus), x.residue - y.residue), x.residue};
  }
  [[nodiscard]] constexpr truth everywhere() const { return {}; }
  [[nodiscard]] constexpr truth less(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr truth equal(element const&, element const&) const { return {}; }
  [[nodiscard]] constexpr truth negate(truth) const { return {}; }
  template <connective>
  [[nodiscard]] constexpr truth combine(truth, truth) const {
    return {};
  }

 private:
  [[nodiscard]] static constexpr element anything() { return {1, 0}; }
};

template <expression E>
[[nodiscard]] constexpr congruence congruence_of(E const& e, index divisor) {
  congruences<index> in(divisor);
  return e.fold(in);
}

//! True if every value of the expression is known to be a multiple of `divisor > 0`.
template <expression E>
[[nodiscard]] constexpr bool known_multiple(E const& e, index divisor) {
  congruence const known = congruence_of(e, divisor);
  return known.modulus == divisor && known.residue == 0;
}

}  // namespace mmm::detail
