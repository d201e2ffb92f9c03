// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>

//! The arithmetic of the papers' formulas: exact, with quotients rounded up.
namespace mmm {
namespace detail {

//! Throws std::overflow_error that names the operands; in a constant expression this is a compile
//! error.
[[noreturn]] inline void reject_result(index a, char const* operation, index b) {
  throw_overflow_error(
      failure_text("mmm: ", a, operation, b, " is not a number from 0 to 2^63 - 1"));
}

[[nodiscard]] constexpr index exact_sum(index a, index b) {
  if (a > INT64_MAX - b) reject_result(a, " + ", b);
  return a + b;
}
[[nodiscard]] constexpr index exact_difference(index a, index b) {
  if (a < b) reject_result(a, " - ", b);
  return a - b;
}
[[nodiscard]] constexpr index exact_product(index a, index b) {
  if (b != 0 && a > INT64_MAX / b) reject_result(a, " * ", b);
  return a * b;
}
[[nodiscard]] constexpr index quotient_up(index a, index b) {
  if (b == 0) reject_result(a, " / ", b);
  return a / b + (a % b != 0);
}

}  // namespace detail

//! A number in a formula: a size in words, a number of threads, a time. Sums, differences and
//! products are exact and quotients are rounded up. Errors: std::overflow_error with the operands
//! for a result below 0 or of 2^63 and more, a compile error in a constant expression.
struct natural {
  index count = 0;

  constexpr natural() = default;
  constexpr natural(index n) : count(n) {  // NOLINT: numbers are numbers
    if (n < 0) detail::reject_result(0, " - ", n == INT64_MIN ? n : -n);
  }
  [[nodiscard]] constexpr operator index() const { return count; }  // NOLINT

  template <class A, class B>
  static constexpr bool operands = detail::is_same_v<A, natural> || detail::is_same_v<B, natural>;

  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator+(A a, B b) {
    return detail::exact_sum(natural(a).count, natural(b).count);
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator-(A a, B b) {
    return detail::exact_difference(natural(a).count, natural(b).count);
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator*(A a, B b) {
    return detail::exact_product(natural(a).count, natural(b).count);
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator/(A a, B b) {
    return detail::quotient_up(natural(a).count, natural(b).count);
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural smaller(A a, B b) {
    return natural(b).count < natural(a).count ? natural(b) : natural(a);
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural larger(A a, B b) {
    return natural(a).count < natural(b).count ? natural(b) : natural(a);
  }
  //! The logarithm to base 2, rounded up: the height of a binary tree over n leaves; 0 for n <= 1.
  [[nodiscard]] friend constexpr natural log2(natural n) {
    index height = 0;
    for (index left = n.count - 1; left > 0; left /= 2) ++height;
    return height;
  }
};

}  // namespace mmm
