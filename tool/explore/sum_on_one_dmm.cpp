// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/sum.hpp>

#include "fold_problem.hpp"

namespace explore {

namespace {

struct sum_on_one_dmm_problem : fold_problem<mmm::sum_on_one_dmm> {
  static constexpr char const* summary = "the sum of all words by the threads of DMM 0 alone";
};

}  // namespace

algorithm_entry sum_on_one_dmm() { return entry_of<sum_on_one_dmm_problem>(); }

}  // namespace explore
