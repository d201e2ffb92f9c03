// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/prefix_sums_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "scan_problem.hpp"

namespace explore {

namespace {

struct prefix_sums_problem : scan_problem<mmm::prefix_sums> {
  static constexpr char const* summary =
      "all prefix-sums, by the sums of pairs, of pairs of pairs, ... and back";
};

struct exclusive_prefix_sums_problem : scan_problem<mmm::exclusive_prefix_sums> {
  static constexpr char const* summary = "the sum of the words before each word";

  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    return compare_prefix_sums(input, words, {}, true);
  }
};

}  // namespace

algorithm_entry prefix_sums() { return cluster::entry_of<prefix_sums_problem>(); }
algorithm_entry exclusive_prefix_sums() {
  return cluster::entry_of<exclusive_prefix_sums_problem>();
}

}  // namespace explore
