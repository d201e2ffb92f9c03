// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

//! The algorithms that read every word and give the sum.
template <auto const& Algorithm>
struct fold_problem : problem_input {
  static constexpr auto const& algorithm = Algorithm;
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  double operator()(On on) {
    return Algorithm(on, words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, double found) const {
    return compare_sum(input, found);
  }
};

}  // namespace explore
