// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/argmin.hpp>

#include "cluster_problem.hpp"

namespace explore::cluster {

std::vector<program> reduce_programs() {
  return {program_for<mmm::sum>(), program_for<mmm::argmin>(), program_for<mmm::argmax>()};
}

}  // namespace explore::cluster
