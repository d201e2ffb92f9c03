// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem_on_nodes.hpp"

namespace explore::cluster {

std::string description(mmm::node_race const& r) {
  using kind = mmm::node_race::kind;
  std::string const event = r.cause == kind::arrival   ? "is accessed while it may arrive"
                            : r.cause == kind::sending ? "changes while it is sent"
                                                       : "is written by two messages";
  return "word " + std::to_string(r.word) + " of node " + std::to_string(r.node) + " " + event +
         " in superstep " + std::to_string(r.superstep);
}

}  // namespace explore::cluster
