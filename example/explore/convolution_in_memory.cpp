// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convolved.hpp"

namespace explore {

namespace {

struct convolution_in_memory_problem : convolved<mmm::convolution_in_memory> {
  static constexpr char const* summary = "the direct convolution, sums in memory at every tap, as printed";
};

}  // namespace

algorithm_entry convolution_in_memory() { return entry_of<convolution_in_memory_problem>(); }

}  // namespace explore
