// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sum.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct sum_problem : problem_input {
  static constexpr auto const& algorithm = mmm::sum;
  static constexpr char const* summary = "the sum of all words";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  double operator()(On on) {
    return mmm::sum(on, words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, double found) const {
    if (words != input) return compare_words(input, words, "the input afterwards");
    return compare_sum(input, found);
  }
};

}  // namespace

algorithm_entry sum() { return entry_of<sum_problem>(); }

}  // namespace explore
