// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

//! The algorithms that replace every word by the sum of all up to it.
template <auto const& Algorithm>
struct scan_problem : changed_input {
  static constexpr auto const& algorithm = Algorithm;
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    Algorithm(on, words.begin(), words.end(), words.begin());
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    return compare_prefix_sums(input, words);
  }
};

}  // namespace explore
