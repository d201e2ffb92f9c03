// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Sums of quotients along a line, and sums over the points of a grid of warps below a line, in
//! O(log) steps, modulo the range of an unsigned `Word`.
namespace mmm::detail {

//! Sums over the steps of a staircase. Step `k = 1, 2, …` is made at a height, the number of
//! rises before it.
template <class Word>
struct staircase {
  Word rises = 0;
  Word steps = 0;
  Word numbers = 0;           //!< of k
  Word heights = 0;           //!< of the height
  Word squares = 0;           //!< of its square
  Word numbered_heights = 0;  //!< of k times the height

  //! One staircase followed by the other.
  friend constexpr staircase operator+(staircase const& a, staircase const& b) {
    return {a.rises + b.rises,
            a.steps + b.steps,
            a.numbers + b.numbers + a.steps * b.steps,
            a.heights + b.heights + a.rises * b.steps,
            a.squares + b.squares + a.rises * (2 * b.heights + a.rises * b.steps),
            a.numbered_heights + b.numbered_heights + a.steps * b.heights +
                a.rises * (b.numbers + a.steps * b.steps)};
  }
  //! A staircase repeated `times` times.
  friend constexpr staircase operator*(index times, staircase s) {
    staircase result;
    for (; times != 0; times /= 2, s = s + s)
      if (times % 2 != 0) result = result + s;
    return result;
  }
};

//! The staircase whose step `k = 1 … count` is made at the height `(slope k + origin) / divisor`,
//! rounded down, for `0 <= origin < divisor`. Each rise adds `rise` and each step adds `step`.
//! Time: O(log divisor) sums of staircases, as Euclid's algorithm.
template <class Word>
[[nodiscard]] constexpr staircase<Word> staircase_below(index count, index slope, index origin,
                                                        index divisor, staircase<Word> const& rise,
                                                        staircase<Word> const& step) {
  if (count == 0) return {};
  staircase<Word> const lifted = slope >= divisor ? slope / divisor * rise + step : step;
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
//! of k h, for `slope >= 0`, `origin >= 0`.
template <class Word>
[[nodiscard]] constexpr staircase<Word> sum_heights(index count, index slope, index origin,
                                                    index divisor) {
  if (count == 0) return {};
  staircase<Word> const rise{1};
  staircase<Word> const step{0, 1, 1};
  auto const first = static_cast<Word>(origin / divisor);
  staircase<Word> sum = origin / divisor * rise +
                        staircase_below(count - 1, slope, origin % divisor, divisor, rise, step);
  sum.heights += first;  // step 0
  sum.squares += first * first;
  return sum;
}

//! `sum of (slope k + origin) / divisor`, rounded down, over 0 <= k < count, where no
//! dividend is negative. Time: O(log divisor), as Euclid's algorithm.
template <class Word = std::uint64_t>
[[nodiscard]] constexpr Word sum_quotients(index count, index slope, index origin, index divisor) {
  if (count == 0) return 0;
  if (slope < 0) {
    origin = checked_add(origin, checked_multiply(slope, count - 1));
    slope = -slope;
  }
  Word sum = 0;
  while (true) {
    auto const n = static_cast<Word>(count);
    auto const pairs = count % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    sum += static_cast<Word>(slope / divisor) * pairs + static_cast<Word>(origin / divisor) * n;
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
//! `period`, and `0 <= y < slope k + origin`, modulo half of what a word holds; no
//! `slope k + origin` is negative.
template <class Word = std::uint64_t>
[[nodiscard]] constexpr Word sum_taken(index count, index slope, index origin, index period,
                                       index taken) {
  if (count == 0) return 0;
  if (slope < 0) {
    origin = checked_add(origin, checked_multiply(slope, count - 1));
    slope = -slope;
  }
  auto const n = static_cast<Word>(count);
  auto const a = static_cast<Word>(slope);
  auto const b = static_cast<Word>(origin);
  auto const pairs = count % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  Word const all = a * pairs + b * n;
  if (taken == period) return all;
  // With x = a k + b, f = x / period and g = (x + period - taken) / period, the last period adds
  // x - period f, less what is over `taken`: (x - period f - taken)(g - f), as g - f is 1 or 0.
  auto const u = static_cast<Word>(period);
  auto const v = static_cast<Word>(taken);
  staircase<Word> const f = sum_heights<Word>(count, slope, origin, period);
  staircase<Word> const g =
      sum_heights<Word>(count, slope, checked_add(origin, period - taken), period);
  Word const more = g.heights - f.heights;
  Word const more_at_f = (g.squares - f.squares - more) / 2;  // g g - f f = (g - f)(2f + 1)
  Word const weighted =
      a * (g.numbered_heights - f.numbered_heights) + b * more - u * more_at_f - v * more;
  return v * f.heights + all - u * f.heights - weighted;
}

}  // namespace mmm::detail
