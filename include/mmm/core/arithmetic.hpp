// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>

namespace mmm::detail {

//! Exact `a + b`; overflow is a compile error in a constant expression, std::overflow_error
//! otherwise.
[[nodiscard]] constexpr index checked_add(index a, index b) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) reject_overflow("a sum");
  return a + b;
}

//! Exact `a - b`, as checked_add.
[[nodiscard]] constexpr index checked_subtract(index a, index b) {
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) reject_overflow("a difference");
  return a - b;
}

//! Exact `a * b`, as checked_add. (No compiler's builtin: not all of them are constant expressions
//! under nvcc.)
[[nodiscard]] constexpr index checked_multiply(index a, index b) {
  constexpr index small = INT32_MAX;
  if (a <= small && a >= -small && b <= small && b >= -small) return a * b;
  if (a == 0 || b == 0) return 0;
  if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
            : (b > 0 ? a < INT64_MIN / b : a < INT64_MAX / b))
    reject_overflow("a product");
  return a * b;
}

//! The greatest common divisor of the absolute values; gcd(0, 0) = 0. Time: O(log) steps. Not
//! std::gcd, whose header costs a compiler more than this function.
[[nodiscard]] MMM_HOST_DEVICE constexpr index gcd(index a, index b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    index const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

//! The absolute value.
[[nodiscard]] constexpr index magnitude(index a) { return a < 0 ? -a : a; }

//! Least common multiple of two positive numbers, checked.
[[nodiscard]] constexpr index lcm(index a, index b) { return checked_multiply(a / gcd(a, b), b); }

//! `a / b` rounded towards minus infinity, for `b > 0`.
[[nodiscard]] constexpr index floor_divide(index a, index b) {
  return a >= 0 ? a / b : -((-(a + 1)) / b) - 1;
}

//! The remainder of floor_divide, in `[0, b)`.
[[nodiscard]] constexpr index floor_modulo(index a, index b) { return a - floor_divide(a, b) * b; }

//! The solutions of `step x = residue` modulo a number: a least one for each multiple of
//! gcd(step, modulus), and those `period` apart.
struct linear_congruence {
  index divisor;
  index period;
  index inverse;  //!< of step / divisor modulo the period
  //! Precondition: step >= 0, modulus > 0. Time: O(log modulus), as Euclid's algorithm.
  constexpr linear_congruence(index step, index modulus) : divisor(modulus), period(1), inverse(0) {
    index rest = step % modulus;
    index factor = 1;
    while (rest != 0) {  // divisor = inverse * step and rest = factor * step modulo the modulus
      index const quotient = divisor / rest;
      index const next = divisor - quotient * rest;
      index const next_factor = inverse - quotient * factor;
      divisor = rest;
      rest = next;
      inverse = factor;
      factor = next_factor;
    }
    period = modulus / divisor;
    inverse = floor_modulo(inverse, period);
  }
  //! The least solution x >= 0, or -1. Overflow: see checked_multiply.
  [[nodiscard]] constexpr index solve(index residue) const {
    if (residue % divisor != 0) return -1;
    return checked_multiply(floor_modulo(residue / divisor, period), inverse) % period;
  }
};

//! `a / b` rounded up, for `a >= 0`, `b > 0`; does not overflow.
[[nodiscard]] MMM_HOST_DEVICE constexpr index ceil_divide(index a, index b) {
  return a / b + (a % b != 0);
}

//! The least `k` with `2^k >= n`: the height of a binary tree over `n` leaves; 0 for `n <= 1`.
[[nodiscard]] MMM_HOST_DEVICE constexpr index ceil_log2(index n) {
  index height = 0;
  for (index reach = 1; reach<n; reach = reach> INT64_MAX / 2 ? INT64_MAX : reach * 2) ++height;
  return height;
}

//! The number of bits that `n >= 0` needs; 0 for 0.
[[nodiscard]] constexpr int bit_width(index n) {
  return n == 0 ? 0 : 64 - countl_zero(static_cast<std::uint64_t>(n));
}

[[nodiscard]] MMM_HOST_DEVICE constexpr index smaller(index a, index b) { return b < a ? b : a; }
[[nodiscard]] MMM_HOST_DEVICE constexpr index larger(index a, index b) { return a < b ? b : a; }

}  // namespace mmm::detail
