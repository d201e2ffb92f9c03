// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/algorithm/scan/summed_area_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"

namespace explore {

namespace {

//! The table of a square image in place; `Problem` has the algorithm's object and summary.
template <class Problem>
struct table_problem : changed_input {
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    Problem::algorithm(on, words.begin(), mmm::size(size));
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    std::vector<double> table = input;
    auto const columns = static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] += i % columns == 0 ? 0 : table[i - 1];
    for (std::size_t i = columns; i < table.size(); ++i) table[i] += table[i - columns];
    return compare_words(table, words, "the summed area table");
  }
};

struct summed_area_problem : table_problem<summed_area_problem> {
  static constexpr auto const& algorithm = mmm::summed_area;
  static constexpr char const* summary =
      "summed area table of a square image in place: prefix-sums of the columns, then of the rows; "
      "summed-area-1r1w reads and writes each pixel once";
};
struct summed_area_1r1w_problem : table_problem<summed_area_1r1w_problem> {
  static constexpr auto const& algorithm = mmm::summed_area_1r1w;
  static constexpr char const* summary = "summed area table of a square image in place, by tiles "
                                         "along antidiagonals: reads and writes "
                                         "each pixel once";
};

}  // namespace

algorithm_entry summed_area() { return cluster::entry_of<summed_area_problem>(); }
algorithm_entry summed_area_1r1w() { return entry_of<summed_area_1r1w_problem>(); }

}  // namespace explore
