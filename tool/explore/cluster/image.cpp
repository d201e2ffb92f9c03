// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cluster_problem.hpp"

namespace explore::cluster {

namespace {

struct with_radius : size_alone {
  [[nodiscard]] static std::tuple<mmm::radius> more(extra_numbers const& extra) {
    return {mmm::radius(extra.radius)};
  }
};

}  // namespace

std::vector<program> image_programs() {
  return {program_for<mmm::image_convolution, with_radius>()};
}

}  // namespace explore::cluster
