// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/permutation/permutation.hpp>

#include "permutations.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct permutation_problem : problem_input {
  static constexpr auto const& algorithm = mmm::permutation;
  static constexpr char const* summary =
      "b[s(i)] = a[i] for a known permutation s, by a schedule without bank conflicts";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{.permutation = true, .schedule = true};

  template <class On>
  std::vector<double> operator()(On on) {
    auto const a = words_to_permute(size, seed);
    std::vector<double> b(a.size());
    auto const places = places_of(words);
    mmm::permutation_schedule const schedule(on.machine(), places.begin(), places.end());
    algorithm(on, a.begin(), a.end(), schedule, b.begin());
    return b;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& found) const {
    return compare_permuted(input, words_to_permute(size, seed), found);
  }
};

}  // namespace

algorithm_entry permutation() { return entry_of<permutation_problem>(); }

}  // namespace explore
