// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "comparison.hpp"
#include "problem.hpp"

#include <algorithm>
#include <vector>

namespace explore {

//! The common base of the problems that sort all words in ascending order.
template <class Derived>
struct sorting_problem : changed_input {
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    Derived::algorithm(on, words.begin(), words.end());
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    std::vector<double> expected = input;
    std::sort(expected.begin(), expected.end());
    return compare_words(expected, words, "the sorted input");
  }
};

}  // namespace explore
