// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"

#include <random>

namespace explore {

namespace {

template <bool Exclusive>
struct segmented_prefix_sums_problem : changed_input {
  static constexpr mmm::detail::segmented_prefix_sums_algorithm<Exclusive> algorithm{};
  static constexpr char const* summary =
      Exclusive ? "the sums before each word, anew at one word in eight, drawn by the seed"
                : "prefix-sums that begin anew at one word in eight, drawn by the seed";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  //! 1 where a segment begins.
  [[nodiscard]] std::vector<int> heads() const {
    std::mt19937_64 random(~seed);  // not the numbers that the input is made of
    std::vector<int> of_words(words.size());
    for (int& head : of_words) head = random() >> 61 == 0;
    return of_words;
  }
  template <class On>
  bool operator()(On on) {
    auto const begins = heads();
    algorithm(on, words.begin(), words.end(), begins.begin(), words.begin());
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    return compare_prefix_sums(input, words, heads(), Exclusive);
  }
};

}  // namespace

algorithm_entry segmented_prefix_sums() {
  return cluster::entry_of<segmented_prefix_sums_problem<false>>();
}
algorithm_entry exclusive_segmented_prefix_sums() {
  return cluster::entry_of<segmented_prefix_sums_problem<true>>();
}

}  // namespace explore
