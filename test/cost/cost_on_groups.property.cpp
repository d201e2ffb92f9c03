// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/random_cost.hpp"

using cost_property::agrees;
using mmm::dynamic;
using random_expression::between;

TEST_CASE("costs on address groups") {
  agrees("umm, w = 1", [] { return mmm::umm<1, dynamic, dynamic>(between(1, 3), between(1, 3)); });
  agrees("umm, w = 3", [] { return mmm::umm<3, dynamic, dynamic>(between(1, 9), between(1, 3)); });
  agrees("umm, w = 4", [] { return mmm::umm<4, dynamic, dynamic>(between(1, 9), between(1, 3)); });
  agrees("umm, w = 8", [] { return mmm::umm<8, dynamic, dynamic>(between(1, 9), between(1, 3)); });
  agrees("umm, any w", [] {
    return mmm::umm<dynamic, dynamic, dynamic>(between(1, 64), between(1, 9), between(1, 3));
  });
  agrees("umm, w = 32",
         [] { return mmm::umm<32, dynamic, dynamic>(between(1, 9), between(1, 3)); });
}
