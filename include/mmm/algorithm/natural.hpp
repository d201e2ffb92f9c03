// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <concepts>
#include <stdexcept>
#include <string>

//! The arithmetic of the papers' formulas.
namespace mmm {
namespace detail {

//! Throws std::overflow_error that names the operands; in a constant expression it is the compile
//! error.
[[noreturn]] inline void reject_result(index a, char const* operation, index b) {
  throw std::overflow_error("mmm: " + std::to_string(a) + operation + std::to_string(b) +
                            " is not a number from 0 to 2^63 - 1");
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
  static constexpr bool operands = std::same_as<A, natural> || std::same_as<B, natural>;

  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator+(A x, B y) {
    natural const a(x), b(y);
    if (a.count > INT64_MAX - b.count) detail::reject_result(a.count, " + ", b.count);
    return a.count + b.count;
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator-(A x, B y) {
    natural const a(x), b(y);
    if (a.count < b.count) detail::reject_result(a.count, " - ", b.count);
    return a.count - b.count;
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator*(A x, B y) {
    natural const a(x), b(y);
    if (b.count != 0 && a.count > INT64_MAX / b.count)
      detail::reject_result(a.count, " * ", b.count);
    return a.count * b.count;
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural operator/(A x, B y) {
    natural const a(x), b(y);
    if (b.count == 0) detail::reject_result(a.count, " / ", b.count);
    return a.count / b.count + (a.count % b.count != 0);
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural smaller(A x, B y) {
    natural const a(x), b(y);
    return b.count < a.count ? b : a;
  }
  template <class A, class B>
  requires operands<A, B>
  [[nodiscard]] friend constexpr natural larger(A x, B y) {
    natural const a(x), b(y);
    return a.count < b.count ? b : a;
  }
  //! The logarithm to base 2, rounded up: the height of a binary tree over n leaves; 0 for n <= 1.
  [[nodiscard]] friend constexpr natural log2(natural n) {
    index height = 0;
    for (index left = n.count - 1; left > 0; left /= 2) ++height;
    return height;
  }
};

}  // namespace mmm
