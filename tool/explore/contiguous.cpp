// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/access/contiguous.hpp>

#include "fold_problem.hpp"

namespace explore {

namespace {

struct contiguous_problem : fold_problem<mmm::contiguous> {
  static constexpr char const* summary = "every word is read once, thread after thread";
};

}  // namespace

algorithm_entry contiguous() { return entry_of<contiguous_problem>(); }

}  // namespace explore
