// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/transpose/transpose_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "transpose_problem.hpp"

namespace explore {

namespace {

struct transpose_diagonal_problem : transpose_problem<mmm::transpose_diagonal> {
  static constexpr char const* summary =
      "transpose in place along diagonals, free of bank conflicts";
};

}  // namespace

algorithm_entry transpose_diagonal() { return cluster::entry_of<transpose_diagonal_problem>(); }

}  // namespace explore
