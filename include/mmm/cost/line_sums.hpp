// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Sums of quotients along a line, and sums over the points of a grid of warps below a line, in
//! O(log) steps, modulo the range of an unsigned `Word`.
namespace mmm::detail {

//! Sums over `0 <= k < count` of `h = (slope k + origin) / divisor`, rounded down.
template <class Word>
struct height_sums {
  Word heights = 0;
  Word numbered_heights = 0;  //!< of k h
  Word triangles = 0;         //!< of h (h + 1)/2
};

//! The heights of `count` steps, for `slope >= 0`, `origin >= 0`. Time: O(log divisor), as Euclid's
//! algorithm.
template <class Word>
[[nodiscard]] constexpr height_sums<Word> sum_heights(index count, index slope, index origin,
                                                      index divisor) {
  if (count == 0) return {};
  auto const triangle = [](Word x) { return x % 2 == 0 ? x / 2 * (x + 1) : (x + 1) / 2 * x; };
  auto const n = static_cast<Word>(count);
  Word const pairs = triangle(n - 1);  // the sum of k
  height_sums<Word> sum;
  index const rest = origin % divisor;
  index const rises = checked_add(checked_multiply(slope % divisor, count - 1), rest) / divisor;
  if (rises > 0) {
    // the same points, counted by their heights from the last one on
    auto const m = static_cast<Word>(rises);
    height_sums<Word> const other =
        sum_heights<Word>(rises, divisor, divisor - rest - 1, slope % divisor);
    sum.heights = m * (n - 1) - other.heights;
    sum.numbered_heights = m * pairs - other.triangles;
    sum.triangles = triangle(m) * (n - 1) - other.numbered_heights - other.heights;
  }
  if (slope < divisor && origin < divisor) return sum;
  // h is more by a k + b
  auto const a = static_cast<Word>(slope / divisor);
  auto const b = static_cast<Word>(origin / divisor);
  Word x = n, y = n - 1, z = n - 2;
  (x % 2 == 0 ? x : y) /= 2;
  (x % 3 == 0 ? x : y % 3 == 0 ? y : z) /= 3;
  Word const triples = x * y * z;  // n (n - 1)(n - 2)/6
  sum.triangles += a * sum.numbered_heights + b * sum.heights + a * a * triples +
                   triangle(a) * pairs + a * b * pairs + triangle(b) * n;
  sum.numbered_heights += a * (2 * triples + pairs) + b * pairs;
  sum.heights += a * pairs + b * n;
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
//! `period`, and `0 <= y < slope k + origin`, where no `slope k + origin` is negative. Time: O(log
//! period), as Euclid's algorithm.
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
  height_sums<Word> const f = sum_heights<Word>(count, slope, origin, period);
  height_sums<Word> const g =
      sum_heights<Word>(count, slope, checked_add(origin, period - taken), period);
  Word const more = g.heights - f.heights;
  Word const more_at_f = g.triangles - f.triangles - more;  // (g - f) f
  Word const weighted =
      a * (g.numbered_heights - f.numbered_heights) + b * more - u * more_at_f - v * more;
  return v * f.heights + all - u * f.heights - weighted;
}

//! sum_taken() for `count = period`, modulo half of what a word holds. The remainders by the period
//! are all those that agree modulo gcd(slope, period), equally often. Time: O(log period) for gcd.
template <class Word = std::uint64_t>
[[nodiscard]] constexpr Word sum_taken_of_period(index slope, index origin, index period,
                                                 index taken) {
  index const step = gcd(slope, period);
  index const terms = period / step;  // different remainders
  index const least = origin % step;
  index const below = least < taken ? smaller(ceil_divide(taken - least, step), terms) : 0;
  auto const n = static_cast<Word>(period);
  auto const a = static_cast<Word>(slope);
  // twice the sums of remainders, and of those below `taken`
  auto const twice_sum = [&](index count) {
    return static_cast<Word>(count) * static_cast<Word>(2 * least + step * (count - 1));
  };
  // of the quotients, twice: the sum of slope k + origin less the remainders, over the period
  Word const quotients = a * (n - 1) + 2 * static_cast<Word>(origin) -
                         static_cast<Word>(2 * least + step * (terms - 1));
  Word const rests =
      twice_sum(below) * static_cast<Word>(step) +
      2 * static_cast<Word>(step) * static_cast<Word>(terms - below) * static_cast<Word>(taken);
  return (quotients * static_cast<Word>(taken) + rests) / 2;
}

}  // namespace mmm::detail
