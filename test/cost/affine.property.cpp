// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/random_cost.hpp"

using cost_property::affine_agrees;
using mmm::dynamic;
using random_expression::between;

TEST_CASE("costs of affine addresses") {
  affine_agrees("pram", [] { return mmm::pram(); });
  affine_agrees("bpram, w = 4", [] { return mmm::bpram<4>(); });
  affine_agrees("dmm, w = 1", [] { return mmm::dmm<1, dynamic>(between(1, 3)); });
  affine_agrees("dmm, w = 6", [] { return mmm::dmm<6, dynamic>(between(1, 5)); });
  affine_agrees("dmm, w = 8", [] { return mmm::dmm<8, dynamic>(between(1, 5)); });
  affine_agrees("umm, w = 1",
                [] { return mmm::umm<1, dynamic, dynamic>(between(1, 3), between(1, 3)); });
  affine_agrees("umm, w = 3",
                [] { return mmm::umm<3, dynamic, dynamic>(between(1, 9), between(1, 3)); });
  affine_agrees("umm, w = 8",
                [] { return mmm::umm<8, dynamic, dynamic>(between(1, 9), between(1, 3)); });
}
