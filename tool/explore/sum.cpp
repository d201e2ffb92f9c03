// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/reduce/sum_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "fold_problem.hpp"

namespace explore {

namespace {

struct sum_problem : fold_problem<mmm::sum> {
  static constexpr char const* summary = "the sum of all words";
};

}  // namespace

algorithm_entry sum() { return cluster::entry_of<sum_problem>(); }

}  // namespace explore
