// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Sums of quotients along a line, and of the points of a grid of warps below it, in O(log) steps.
namespace mmm::detail {

//! Sums over the steps of a staircase, modulo 2^64. Step `k = 1, 2, …` is made at a height, the
//! number of rises before it.
struct staircase {
  std::uint64_t rises = 0;
  std::uint64_t steps = 0;
  std::uint64_t numbers = 0;           //!< of k
  std::uint64_t heights = 0;           //!< of the height
  std::uint64_t squares = 0;           //!< of its square
  std::uint64_t numbered_heights = 0;  //!< of k times the height

  //! One staircase after the other.
  friend constexpr staircase operator+(staircase const& a, staircase const& b) {
    return {a.rises + b.rises,
            a.steps + b.steps,
            a.numbers + b.numbers + a.steps * b.steps,
            a.heights + b.heights + a.rises * b.steps,
            a.squares + b.squares + a.rises * (2 * b.heights + a.rises * b.steps),
            a.numbered_heights + b.numbered_heights + a.steps * b.heights +
                a.rises * (b.numbers + a.steps * b.steps)};
  }
  //! A staircase again and again.
  friend constexpr staircase operator*(index times, staircase s) {
    staircase result;
    for (; times != 0; times /= 2, s = s + s)
      if (times % 2 != 0) result = result + s;
    return result;
  }
};

//! The staircase whose step `k = 1 … count` is made at the height `(slope k + origin) / divisor`,
//! rounded down, for `0 <= origin < divisor`; of `rise` and `step` instead of rises by 1 and steps.
//! Time: O(log divisor) sums of staircases, as Euclid's algorithm.
[[nodiscard]] constexpr staircase staircase_below(index count, index slope, index origin,
                                                  index divisor, staircase const& rise,
                                                  staircase const& step) {
  if (count == 0) return {};
  staircase const lifted = slope >= divisor ? slope / divisor * rise + step : step;
  slope %= divisor;
  index const rises = checked_add(checked_multiply(count, slope), origin) / divisor;
  if (rises == 0) return count * lifted;
  // the same points by rises: rise m comes just before the first step that reaches it
  index const after = count - (checked_multiply(divisor, rises) - origin - 1) / slope;
  return (divisor - origin - 1) / slope * lifted + rise +
         staircase_below(rises - 1, divisor, (divisor - origin - 1) % slope, slope, lifted, rise) +
         after * lifted;
}

//! The sums over `0 <= k < count` of `h = (slope k + origin) / divisor`, rounded down, of h^2 and
//! of k h, modulo 2^64, for `slope >= 0`, `origin >= 0`.
[[nodiscard]] constexpr staircase sum_heights(index count, index slope, index origin,
                                              index divisor) {
  if (count == 0) return {};
  staircase const rise{.rises = 1};
  staircase const step{.steps = 1, .numbers = 1};
  auto const first = static_cast<std::uint64_t>(origin / divisor);
  staircase sum = origin / divisor * rise +
                  staircase_below(count - 1, slope, origin % divisor, divisor, rise, step);
  sum.heights += first;  // step 0
  sum.squares += first * first;
  return sum;
}

//! `sum of (slope k + origin) / divisor`, rounded down, over 0 <= k < count, modulo 2^64, where no
//! dividend is negative. Time: O(log divisor), as Euclid's algorithm.
[[nodiscard]] constexpr std::uint64_t sum_quotients(index count, index slope, index origin,
                                                    index divisor) {
  if (count == 0) return 0;
  if (slope < 0) {
    origin = checked_add(origin, checked_multiply(slope, count - 1));
    slope = -slope;
  }
  std::uint64_t sum = 0;
  while (true) {
    auto const n = static_cast<std::uint64_t>(count);
    auto const pairs = count % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    sum += static_cast<std::uint64_t>(slope / divisor) * pairs +
           static_cast<std::uint64_t>(origin / divisor) * n;
    slope %= divisor;
    index const end = checked_add(checked_multiply(slope, count), origin % divisor);
    if (end < divisor) return sum;
    count = end / divisor;  // the same points, counted by their heights
    origin = end % divisor;
    index const other = slope;
    slope = divisor;
    divisor = other;
  }
}

//! The sum over `0 <= k < count` of the number of those integers y that are 0 … taken - 1 modulo
//! `period`, and `0 <= y < slope k + origin`, modulo 2^63; no `slope k + origin` is negative.
[[nodiscard]] constexpr std::uint64_t sum_taken(index count, index slope, index origin,
                                                index period, index taken) {
  if (count == 0) return 0;
  if (slope < 0) {
    origin = checked_add(origin, checked_multiply(slope, count - 1));
    slope = -slope;
  }
  auto const n = static_cast<std::uint64_t>(count);
  auto const a = static_cast<std::uint64_t>(slope);
  auto const b = static_cast<std::uint64_t>(origin);
  auto const pairs = count % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  std::uint64_t const all = a * pairs + b * n;
  if (taken == period) return all;
  // With x = a k + b, f = x / period and g = (x + period - taken) / period, the last period adds
  // x - period f, less what is over `taken`: (x - period f - taken)(g - f), as g - f is 1 or 0.
  auto const u = static_cast<std::uint64_t>(period);
  auto const v = static_cast<std::uint64_t>(taken);
  staircase const f = sum_heights(count, slope, origin, period);
  staircase const g = sum_heights(count, slope, checked_add(origin, period - taken), period);
  std::uint64_t const more = g.heights - f.heights;
  std::uint64_t const more_at_f =
      (g.squares - f.squares - more) / 2;  // g g - f f = (g - f)(2f + 1)
  std::uint64_t const weighted =
      a * (g.numbered_heights - f.numbered_heights) + b * more - u * more_at_f - v * more;
  return v * f.heights + all - u * f.heights - weighted;
}

}  // namespace mmm::detail
