// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/lcs.hpp>

#include "comparison.hpp"
#include "problem.hpp"
#include "second_input.hpp"

#include <algorithm>
#include <tuple>

namespace explore {

namespace {

struct lcs_problem : problem_input {
  static constexpr auto const& algorithm = mmm::lcs;
  static constexpr char const* summary =
      "the length of the longest common subsequence of the text and of --taps symbols";
  static constexpr problem_shape shape = problem_shape::text;
  static constexpr extra_options uses{.taps = true};

  [[nodiscard]] static std::tuple<mmm::taps> more(extra_numbers const& extra) {
    return {mmm::taps(extra.taps)};
  }
  [[nodiscard]] std::vector<double> pattern() const {
    return almost_part_of(words, extra.taps, seed);
  }
  template <class On>
  index operator()(On on) {
    auto const x = pattern();
    return algorithm(on, x.begin(), x.end(), words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& text, index found) const {
    auto const x = pattern();
    std::vector<index> column(x.size() + 1, 0);
    for (double const symbol : text) {
      index diagonal = 0;
      for (std::size_t i = 1; i < column.size(); ++i) {
        index const matched = diagonal + 1;
        diagonal = column[i];
        column[i] = x[i - 1] == symbol ? matched : std::max(column[i], column[i - 1]);
      }
    }
    std::string const detail = "the length " + std::to_string(found);
    if (found != column.back()) return {false, detail + " is not " + std::to_string(column.back())};
    return {true, detail + " is that of a plain loop"};
  }
};

}  // namespace

algorithm_entry lcs() { return entry_of<lcs_problem>(); }

}  // namespace explore
