// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/report/trace_text.hpp>

#include "problem.hpp"

namespace explore {

std::string description(mmm::race const& r) {
  return std::string(r.kind == mmm::race_kind::write_write ? "two writes" : "a read and a write") +
         " of word " + std::to_string(r.address) + " of the " + name_of(r.space) +
         " memory by items " + std::to_string(r.first_item) + " and " +
         std::to_string(r.second_item) + " in " + mmm::report::detail::steps_text(r);
}

}  // namespace explore
