// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/string_matching.hpp>

#include "comparison.hpp"
#include "problem.hpp"
#include "second_input.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace explore {

namespace {

struct string_matching_problem : problem_input {
  static constexpr auto const& algorithm = mmm::string_matching;
  static constexpr char const* summary =
      "the least edit distances of a pattern of --taps symbols to the text's substrings";
  static constexpr problem_shape shape = problem_shape::text;
  static constexpr extra_options uses{.taps = true};

  [[nodiscard]] static std::tuple<mmm::taps> more(extra_numbers const& extra) {
    return {mmm::taps(extra.taps)};
  }
  [[nodiscard]] std::vector<double> pattern() const {
    return extra.pattern.empty() ? almost_part_of(words, extra.taps, seed) : extra.pattern;
  }
  //! The distances, and the least of them after them.
  template <class On>
  std::vector<double> operator()(On on) {
    auto const x = pattern();
    std::vector<double> distances(words.size() + 1, -1.0);
    distances.back() =
        algorithm(on, x.begin(), x.end(), words.begin(), words.end(), distances.begin());
    return distances;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& text,
                                   std::vector<double> const& found) const {
    auto const x = pattern();
    std::vector<double> column(x.size() + 1), expected;
    std::iota(column.begin(), column.end(), 0.0);
    for (double const symbol : text) {
      double diagonal = 0;
      for (std::size_t i = 1; i < column.size(); ++i) {
        double const changed = diagonal + (x[i - 1] == symbol ? 0 : 1);
        diagonal = column[i];
        column[i] = std::min({changed, column[i] + 1, column[i - 1] + 1});
      }
      expected.push_back(column.back());
    }
    auto const least = std::min_element(expected.begin(), expected.end());
    auto const end = least - expected.begin() + 1;
    expected.push_back(*least);
    comparison result = compare_words(expected, found, "the distances and the least");
    result.figures = {{"distance", found.back()}, {"end", static_cast<double>(end)}};
    if (result.correct)
      result.detail += ", " + text_of(found.back()) +
                       " the least, first of a substring that ends " + "at symbol " +
                       std::to_string(end);
    return result;
  }
};

}  // namespace

algorithm_entry string_matching() { return entry_of<string_matching_problem>(); }

}  // namespace explore
