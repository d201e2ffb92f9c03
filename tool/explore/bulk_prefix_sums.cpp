// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bulk_problem.hpp"

#include <numeric>

namespace explore {

namespace {

template <class Arrangement>
struct bulk_prefix_sums_problem
    : bulk_problem<bulk_prefix_sums_problem<Arrangement>, mmm::oblivious_prefix_sums, Arrangement> {
  static constexpr char const* summary =
      "prefix-sums of each of k = --inputs inputs by one thread, t = 2n - 1 memory steps: "
      "O(kt/w + ktl/p + lt) by columns, O(kt + ktl/p + lt) by rows";
  static constexpr problem_shape shape = problem_shape::inputs;
  static constexpr char const* results = "the inputs' prefix-sums";

  static void plain(std::vector<double>& input, index) {
    std::partial_sum(input.begin(), input.end(), input.begin());
  }
};

}  // namespace

algorithm_entry bulk_prefix_sums() { return bulk_entry<bulk_prefix_sums_problem>(); }

}  // namespace explore
