// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/transpose/transpose_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "transpose_problem.hpp"

namespace explore {

namespace {

struct transpose_rotating_problem : transpose_problem<mmm::transpose_rotating> {
  static constexpr char const* summary =
      "transpose in place by w x w blocks in registers, coalesced";
};

}  // namespace

algorithm_entry transpose_rotating() { return cluster::entry_of<transpose_rotating_problem>(); }

}  // namespace explore
