// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/argmin_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"

#include <algorithm>

namespace explore {

namespace {

//! The algorithms that find the place of one word.
template <auto const& Algorithm, bool Largest>
struct located_problem : problem_input {
  static constexpr auto const& algorithm = Algorithm;
  static constexpr char const* summary =
      Largest ? "the largest word and its place" : "the smallest word and its place";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  mmm::located<double> operator()(On on) {
    return Algorithm(on, words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   mmm::located<double> const& found) const {
    auto const expected = Largest ? std::max_element(input.begin(), input.end())
                                  : std::min_element(input.begin(), input.end());
    index const place = expected - input.begin();
    std::string const detail = text_of(found.value) + " at place " + std::to_string(found.place);
    if (found.value != *expected || found.place != place)
      return {false, detail + " is not " + text_of(*expected) + " at " + std::to_string(place)};
    return {true, detail + ", as the standard library's", {{"place", static_cast<double>(place)}}};
  }
};

}  // namespace

algorithm_entry argmin() { return cluster::entry_of<located_problem<mmm::argmin, false>>(); }
algorithm_entry argmax() { return cluster::entry_of<located_problem<mmm::argmax, true>>(); }

}  // namespace explore
