// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/algorithm/sort/sort_on_nodes.hpp>

#include "sorting.hpp"

namespace explore {

namespace {

struct sort_problem : sorting_problem<sort_problem> {
  static constexpr auto const& algorithm = mmm::sort;
  static constexpr char const* summary =
      "all words in ascending order, by a network of comparators that is the same for all data";
};

}  // namespace

algorithm_entry sort() { return cluster::entry_of<sort_problem>(); }

}  // namespace explore
