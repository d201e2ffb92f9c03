// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/random_cost.hpp"

using cost_property::agrees;
using mmm::dynamic;
using random_expression::between;

TEST_CASE("costs on banks") {
  agrees("dmm, w = 1", [] { return mmm::dmm<1, dynamic>(between(1, 3)); });
  agrees("dmm, w = 3", [] { return mmm::dmm<3, dynamic>(between(1, 5)); });
  agrees("dmm, w = 4", [] { return mmm::dmm<4, dynamic>(between(1, 5)); });
  agrees("dmm, w = 8", [] { return mmm::dmm<8, dynamic>(between(1, 5)); });
  agrees("dmm, any w", [] { return mmm::dmm<dynamic, dynamic>(between(1, 64), between(1, 9)); });
  agrees("updates on banks, w = 6",
         [] { return mmm::detail::updated_banks(mmm::dmm<6, dynamic>(between(1, 5))); });
  agrees("updates on banks, any w", [] {
    return mmm::detail::updated_banks(mmm::dmm<dynamic, dynamic>(between(1, 64), between(1, 9)));
  });
  agrees("dmm, w = 32", [] { return mmm::dmm<32, dynamic>(between(1, 5)); });
}
