// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sum.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct sum_on_one_dmm_problem : problem_input {
  static constexpr auto const& algorithm = mmm::sum_on_one_dmm;
  static constexpr char const* summary = "the sum of all words by the threads of DMM 0 alone";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  double operator()(On on) {
    return mmm::sum_on_one_dmm(on, words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, double found) const {
    if (words != input) return compare_words(input, words, "the input afterwards");
    return compare_sum(input, found);
  }
};

}  // namespace

algorithm_entry sum_on_one_dmm() { return entry_of<sum_on_one_dmm_problem>(); }

}  // namespace explore
