// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/sort_on_nodes.hpp>

#include "sorting.hpp"

namespace explore {

namespace {

struct merge_sort_problem : sorting_problem<merge_sort_problem> {
  static constexpr auto const& algorithm = mmm::merge_sort;
  static constexpr char const* summary =
      "all words in ascending order, by merging sorted runs two by two; stable";

  template <class M>
  [[nodiscard]] static closed_form estimate_of(M const& machine, mmm::size n, mmm::threads p) {
    return cost_by_keys(machine, n, p);
  }
};

}  // namespace

algorithm_entry merge_sort() { return cluster::entry_of<merge_sort_problem>(); }

}  // namespace explore
