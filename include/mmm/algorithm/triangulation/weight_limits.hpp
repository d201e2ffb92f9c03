// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/core/type_traits.hpp>

#include <limits>

//! The largest value of weights that are not numbers of C++, by std::numeric_limits. In a header of
//! its own, since <limits> is a twentieth of the time that <mmm/model.hpp> takes to compile.
namespace mmm::detail {

template <class Value>
requires(!arithmetic<Value> && std::numeric_limits<Value>::is_specialized)
struct largest_value<Value> {
  using limits = std::numeric_limits<Value>;
  static constexpr Value value = limits::has_infinity ? limits::infinity() : limits::max();
};

}  // namespace mmm::detail
