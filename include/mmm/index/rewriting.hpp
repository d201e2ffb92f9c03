// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>

namespace mmm::detail {

//! The algebra of expressions in other variables: `Self::variable(v)` is the expression that takes
//! the place of a variable; everything else stays.
template <class Self>
struct rewriting : algebra<Self> {
  [[nodiscard]] constexpr constant number(index n) const { return constant(n); }
  template <operation Op, class X, class Y>
  [[nodiscard]] constexpr auto operate(X const& x, Y const& y) const {
    return binary_expression<Op, X, Y>(x, y);
  }
  template <class P, class X, class Y>
  [[nodiscard]] constexpr auto choose(P const& p, X const& x, Y const& y) const {
    return select_expression<P, X, Y>(p, x, y);
  }
  [[nodiscard]] constexpr always everywhere() const { return {}; }
  template <relation Relation, class X, class Y>
  [[nodiscard]] constexpr auto relate(X const& x, Y const& y) const {
    return comparison<Relation, X, Y>(x, y);
  }
  template <connective Connective, class P, class Q>
  [[nodiscard]] constexpr auto combine(P const& p, Q const& q) const {
    return mmm::combination<Connective, P, Q>(p, q);
  }
  template <class P>
  [[nodiscard]] constexpr auto negate(P const& p) const {
    return negation<P>(p);
  }
};

}  // namespace mmm::detail
