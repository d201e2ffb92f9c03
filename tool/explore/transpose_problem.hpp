// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

//! The algorithms that transpose a square in place.
template <auto const& Algorithm>
struct transpose_problem : changed_input {
  static constexpr auto const& algorithm = Algorithm;
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    Algorithm(on, words.begin(), size);
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    return compare_words(transposed(input, size), words, "the transpose");
  }
};

}  // namespace explore
