// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/histogram/histogram.hpp>

#include "comparison.hpp"
#include "problem.hpp"

#include <tuple>

namespace explore {

namespace {

//! The bin of a number: its whole part modulo the number of bins; none for those below 0.
struct bin_of_number {
  index bins;
  [[nodiscard]] constexpr index operator()(double x) const {
    constexpr double largest = 9.0e18;
    return x >= 0 && x < largest ? static_cast<index>(x) % bins : -1;
  }
};

struct histogram_problem : problem_input {
  static constexpr auto const& algorithm = mmm::histogram;
  static constexpr char const* summary = "how many words fall in each of --bins bins";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{.bins = true};
  static constexpr char const* closed_form_of = "evenly spread values";

  [[nodiscard]] static std::tuple<mmm::bins, mmm::spread> more(extra_numbers const& extra) {
    return {mmm::bins(extra.bins), mmm::spread::even};
  }
  template <class On>
  std::vector<double> operator()(On on) {
    std::vector<index> counts(static_cast<std::size_t>(extra.bins), -1);
    algorithm(on, words.begin(), words.end(), counts.begin(), counts.end(),
              bin_of_number{extra.bins});
    return {counts.begin(), counts.end()};
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& found) const {
    std::vector<double> expected(found.size());
    for (double const x : input)
      if (index const bin = bin_of_number{extra.bins}(x); bin >= 0)
        ++expected[static_cast<std::size_t>(bin)];
    return compare_words(expected, found, "the counts");
  }
};

}  // namespace

algorithm_entry histogram() { return entry_of<histogram_problem>(); }

}  // namespace explore
