// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort.hpp>

#include "cluster_problem.hpp"

namespace explore::cluster {

namespace {

struct digits {
  [[nodiscard]] static std::tuple<mmm::key_bits> more(extra_numbers const&) {
    return {mmm::key_bits(64)};
  }
};

}  // namespace

std::vector<program> sort_programs() {
  return {program_for<mmm::sort>(), program_for<mmm::radix_sort, digits>(),
          program_for<mmm::merge_sort>()};
}

}  // namespace explore::cluster
