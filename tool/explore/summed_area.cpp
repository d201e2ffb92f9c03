// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct summed_area_problem : changed_input {
  static constexpr auto const& algorithm = mmm::summed_area;
  static constexpr char const* summary =
      "summed area table of a square image in place: prefix-sums of the columns, then of the rows";
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    algorithm(on, words.begin(), mmm::size(size));
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

}  // namespace

algorithm_entry summed_area() { return entry_of<summed_area_problem>(); }

}  // namespace explore
