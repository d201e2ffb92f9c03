// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>

#include "cluster_problem.hpp"

namespace explore::cluster {

std::vector<program> scan_programs() {
  return {program_for<mmm::prefix_sums>(), program_for<mmm::exclusive_prefix_sums>(),
          program_for<mmm::segmented_prefix_sums>(),
          program_for<mmm::exclusive_segmented_prefix_sums>(), program_for<mmm::summed_area>()};
}

}  // namespace explore::cluster
