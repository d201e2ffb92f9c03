// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/prefix_sums.hpp>

#include "scan_problem.hpp"

namespace explore {

namespace {

struct prefix_sums_problem : scan_problem<mmm::prefix_sums> {
  static constexpr char const* summary =
      "all prefix-sums, by the sums of pairs, of pairs of pairs, ... and back";
};

}  // namespace

algorithm_entry prefix_sums() { return entry_of<prefix_sums_problem>(); }

}  // namespace explore
