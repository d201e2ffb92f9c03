// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/permutation/permutation_direct.hpp>

#include "permutations.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct permutation_direct_problem : problem_input {
  static constexpr auto const& algorithm = mmm::permutation_direct;
  static constexpr char const* summary =
      "b[s(i)] = a[i], word by word: the cost depends on the permutation s";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{.permutation = true};

  template <class M>
  [[nodiscard]] static closed_form estimate_of(M const& machine, mmm::size n, mmm::threads p) {
    auto const with = [&](mmm::scatter places) {
      return mmm::cost_of(machine, algorithm, n, p, places);
    };
    return {.known = true,
            .least = with(mmm::scatter::contiguous),
            .most = with(mmm::scatter::conflicting)};
  }
  template <class On>
  std::vector<double> operator()(On on) {
    auto const a = words_to_permute(size, seed);
    std::vector<double> b(a.size());
    auto const places = places_of(words);
    algorithm(on, a.begin(), a.end(), places.begin(), b.begin());
    return b;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& found) const {
    return compare_permuted(input, words_to_permute(size, seed), found);
  }
};

}  // namespace

algorithm_entry permutation_direct() { return entry_of<permutation_direct_problem>(); }

}  // namespace explore
