// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cluster_problem.hpp"

namespace explore::cluster {

namespace {

struct with_tile : size_alone {
  [[nodiscard]] static std::tuple<mmm::tile> more(extra_numbers const& extra) {
    return {mmm::tile(extra.tile)};
  }
};

}  // namespace

std::vector<program> product_programs() { return {program_for<mmm::matrix_multiply, with_tile>()}; }

}  // namespace explore::cluster
