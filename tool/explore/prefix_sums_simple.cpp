// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/prefix_sums.hpp>

#include "scan_problem.hpp"

namespace explore {

namespace {

struct prefix_sums_simple_problem : scan_problem<mmm::prefix_sums_simple> {
  static constexpr char const* summary =
      "all prefix-sums in place, every word taking in the one 1, 2, 4, ... before it";
};

}  // namespace

algorithm_entry prefix_sums_simple() { return entry_of<prefix_sums_simple_problem>(); }

}  // namespace explore
