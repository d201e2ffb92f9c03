// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cluster_problem.hpp"

namespace explore::cluster {

namespace {

struct with_taps : size_alone {
  [[nodiscard]] static std::tuple<mmm::taps> more(extra_numbers const& extra) {
    return {mmm::taps(extra.taps)};
  }
};

}  // namespace

std::vector<program> convolution_programs() { return {program_for<mmm::convolution, with_taps>()}; }

}  // namespace explore::cluster
