// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wide_item_property_checks.hpp"

TEST_CASE("wide accesses on memories of further widths") {
  using checks::wide_items::agrees;
  agrees("dmm, w = 1", mmm::dmm<1, 3>());
  agrees("dmm, w = 4", mmm::dmm<4, 5>());
  agrees("umm, w = 2", mmm::umm<2, 3>());
}
