// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/transpose/transpose_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "transpose_problem.hpp"

namespace explore {

namespace {

struct transpose_straightforward_problem : transpose_problem<mmm::transpose_straightforward> {
  static constexpr char const* summary = "transpose in place, every pair exchanged row by row";
};

}  // namespace

algorithm_entry transpose_straightforward() {
  return cluster::entry_of<transpose_straightforward_problem>();
}

}  // namespace explore
