// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/random_cost.hpp"

using cost_property::agrees;

TEST_CASE("costs on machines without warps") {
  agrees("pram", [] { return mmm::pram(); });
  agrees("bpram, w = 1", [] { return mmm::bpram<1>(); });
  agrees("bpram, w = 4", [] { return mmm::bpram<4>(); });
  agrees("bpram, any w",
         [] { return mmm::bpram<mmm::dynamic>(random_expression::between(1, 64)); });
  agrees("bpram, w = 32", [] { return mmm::bpram<32>(); });
}
