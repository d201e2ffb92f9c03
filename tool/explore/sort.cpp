// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/paper/sort.hpp>

#include "comparison.hpp"
#include "problem.hpp"

#include <algorithm>

namespace explore {

namespace {

struct sort_problem : problem_input {
  static constexpr auto const& algorithm = mmm::sort;
  static constexpr char const* summary =
      "all words in ascending order, by a network of comparators that is the same for all data";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    mmm::sort(on, words.begin(), words.end());
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    std::vector<double> expected = input;
    std::sort(expected.begin(), expected.end());
    return compare_words(expected, words, "the sorted input");
  }
};

}  // namespace

algorithm_entry sort() { return entry_of<sort_problem>(); }

}  // namespace explore
