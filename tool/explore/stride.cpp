// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/access/stride.hpp>

#include "fold_problem.hpp"

namespace explore {

namespace {

struct stride_problem : fold_problem<mmm::stride> {
  static constexpr char const* summary = "thread i reads words i*s, i*s + 1, ... with s = n/p";
};

}  // namespace

algorithm_entry stride() { return entry_of<stride_problem>(); }

}  // namespace explore
