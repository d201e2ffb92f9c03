// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convolved.hpp"

namespace explore {

namespace {

struct convolution_in_memory_problem : convolved<mmm::convolution_in_memory> {
  static constexpr char const* summary = "the same with sums in memory, as the paper prints it";
};

}  // namespace

algorithm_entry convolution_in_memory() { return entry_of<convolution_in_memory_problem>(); }

}  // namespace explore
