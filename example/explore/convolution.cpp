// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convolved.hpp"

namespace explore {

namespace {

struct convolution_problem : convolved<mmm::convolution> {
  static constexpr char const* summary = "the direct convolution with --taps numbers, sums in registers";
};

}  // namespace

algorithm_entry convolution() { return entry_of<convolution_problem>(); }

}  // namespace explore
