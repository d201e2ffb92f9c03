// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bulk_problem.hpp"

#include <algorithm>

namespace explore {

namespace {

template <class Arrangement>
struct bulk_sort_problem
    : bulk_problem<bulk_sort_problem<Arrangement>, mmm::oblivious_sort, Arrangement> {
  static constexpr char const* summary =
      "sorts each of k = --inputs inputs by one thread, a network of t/4 comparators: "
      "O(kt/w + ktl/p + lt) by columns, O(kt + ktl/p + lt) by rows";
  static constexpr problem_shape shape = problem_shape::inputs;
  static constexpr char const* results = "the sorted inputs";

  static void plain(std::vector<double>& input, index) { std::sort(input.begin(), input.end()); }
};

}  // namespace

algorithm_entry bulk_sort() { return bulk_entry<bulk_sort_problem>(); }

}  // namespace explore
