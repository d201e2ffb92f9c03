// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sum_wide_checks.hpp"

TEST_CASE("copies and sums by wide accesses on machines of other widths") {
  checks::copies(mmm::umm<2, 3, 3>(), 4);
  checks::wider_machine const m;
  for (mmm::index const p : {4, 5, 16}) checks::copies(m, p * m.dmms());
  for (mmm::index const p : {1, 4, 6, 16}) checks::sums(m, p * m.dmms());
}
