// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scatter.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace explore {

//! The common base of the problems that sort all words in ascending order.
template <class Derived>
struct sorting_problem : changed_input {
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  //! The cost for keys with which the words of a warp's requests lie as close as they can, and as
  //! far apart.
  template <class M>
  [[nodiscard]] static auto cost_by_keys(M const& machine, mmm::size n, mmm::threads p) {
    auto const with = [&](mmm::scatter places) {
      auto const cost = [&](auto const&... more) {
        return mmm::cost_of(machine, Derived::algorithm, n, p, more..., places);
      };
      return std::apply(cost, Derived::more({}));
    };
    return known_cost<decltype(with(mmm::scatter::contiguous))>{
        .known = true,
        .least = with(mmm::scatter::contiguous),
        .most = with(mmm::scatter::conflicting)};
  }
  //! The number of keys that a node sends depends on them, too.
  template <class M>
  [[nodiscard]] static auto estimate_on_nodes(M const& machine, mmm::size n, mmm::threads p) {
    return cost_by_keys(machine, n, p);
  }
  template <class On>
  bool operator()(On on) {
    Derived::algorithm(on, words.begin(), words.end());
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    std::vector<double> expected = input;
    std::sort(expected.begin(), expected.end());
    return compare_words(expected, words, "the sorted input");
  }
};

}  // namespace explore
