// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cluster_problem.hpp"

namespace explore::cluster {

std::vector<program> transpose_programs() {
  return {program_for<mmm::transpose_straightforward>(), program_for<mmm::transpose_diagonal>(),
          program_for<mmm::transpose_rotating>()};
}

}  // namespace explore::cluster
