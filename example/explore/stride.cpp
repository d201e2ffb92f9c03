// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/access.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct stride_problem : problem_input {
  static constexpr auto const& algorithm = mmm::stride;
  static constexpr char const* summary = "thread i reads words i*s, i*s + 1, ... with s = n/p";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  double operator()(On on) {
    return mmm::stride(on, words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, double found) const {
    if (words != input) return compare_words(input, words, "the input afterwards");
    return compare_sum(input, found);
  }
};

}  // namespace

algorithm_entry stride() { return entry_of<stride_problem>(); }

}  // namespace explore
