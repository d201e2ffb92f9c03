// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bulk_problem.hpp"

#include <algorithm>
#include <limits>

namespace explore {

namespace {

template <class Arrangement>
struct bulk_triangulation_problem : bulk_problem<bulk_triangulation_problem<Arrangement>,
                                                 mmm::oblivious_triangulation, Arrangement> {
  static constexpr char const* summary =
      "the best triangulation of each of k = --inputs polygons by one thread, t memory steps: "
      "O(kt/w + ktl/p + lt) by columns, O(kt + ktl/p + lt) by rows";
  static constexpr problem_shape shape = problem_shape::polygons;
  static constexpr char const* results = "the tables of least weights";

  static void plain(std::vector<double>& table, index n) {
    auto const at = [&](index i, index j) -> double& {
      return table[static_cast<std::size_t>(i * n + j)];
    };
    for (index i = 0; i + 1 < n; ++i) at(i, i + 1) = 0;
    at(0, n - 1) = 0;
    for (index apart = 2; apart < n; ++apart)
      for (index i = 0; i + apart < n; ++i) {
        double best = std::numeric_limits<double>::infinity();
        for (index k = i + 1; k < i + apart; ++k)
          best = std::min(best, at(i, k) + at(k, i + apart));
        at(i, i + apart) += best;
      }
  }
};

}  // namespace

algorithm_entry bulk_triangulation() { return bulk_entry<bulk_triangulation_problem>(); }

}  // namespace explore
