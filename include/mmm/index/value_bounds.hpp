// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Bounds of values, and their arithmetic.
namespace mmm::detail {

//! Least and largest value.
struct value_bounds {
  index low = 0;
  index high = 0;
};

//! Nothing is known of the values.
inline constexpr value_bounds unbounded{INT64_MIN, INT64_MAX};

//! Bounds where one that is far from 0 counts as infinite, so that sums of the others fit into 64
//! bits.
[[nodiscard]] constexpr value_bounds bounded(index low, index high) {
  constexpr index far = INT64_MAX / 4;
  return {low < -far ? INT64_MIN : low, high > far ? INT64_MAX : high};
}

//! The bounds of sums (sign = 1) or differences (sign = -1) of values with such bounds.
[[nodiscard]] constexpr value_bounds sum_bounds(value_bounds const& x, value_bounds const& y,
                                                index sign) {
  index const low = sign > 0 ? y.low : y.high;
  index const high = sign > 0 ? y.high : y.low;
  value_bounds result = unbounded;
  if (x.low != INT64_MIN && low != (sign > 0 ? INT64_MIN : INT64_MAX))
    result.low = x.low + sign * low;
  if (x.high != INT64_MAX && high != (sign > 0 ? INT64_MAX : INT64_MIN))
    result.high = x.high + sign * high;
  return bounded(result.low, result.high);
}

//! The bounds of multiples of values with such bounds.
[[nodiscard]] constexpr value_bounds scaled_bounds(value_bounds const& x, index factor) {
  if (factor == 0) return {};
  index const far = INT64_MAX / 4 / magnitude(factor);
  bool const low = x.low >= -far && x.low <= far;
  bool const high = x.high >= -far && x.high <= far;
  value_bounds result{low ? x.low * factor : INT64_MIN, high ? x.high * factor : INT64_MAX};
  if (factor < 0) result = {high ? x.high * factor : INT64_MIN, low ? x.low * factor : INT64_MAX};
  return result;
}

//! The bounds of quotients by `m`, rounded down.
[[nodiscard]] constexpr value_bounds quotients(value_bounds const& x, index m) {
  return {x.low == INT64_MIN ? x.low : floor_divide(x.low, m),
          x.high == INT64_MAX ? x.high : floor_divide(x.high, m)};
}

}  // namespace mmm::detail
