// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/lcs.hpp>

#include "comparison.hpp"
#include "problem.hpp"
#include "second_input.hpp"

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
    return extra.pattern.empty() ? almost_part_of(words, extra.taps, seed) : extra.pattern;
  }
  template <class On>
  index operator()(On on) {
    auto const x = pattern();
    return algorithm(on, x.begin(), x.end(), words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& text, index found) const {
    std::vector<double> const common = common_subsequence(pattern(), text);
    auto const expected = static_cast<index>(common.size());
    std::string const detail = "the length " + std::to_string(found);
    std::vector<std::pair<char const*, double>> const result{
        {"length", static_cast<double>(found)}};
    if (found != expected) return {false, detail + " is not " + std::to_string(expected), result};
    return {true, detail + " is that of a plain computation", result, common};
  }
};

}  // namespace

algorithm_entry lcs() { return entry_of<lcs_problem>(); }

}  // namespace explore
