// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plane_checks.hpp"

TEST_CASE("transposes of sides that threads and further widths do not divide") {
  checks::comparison compare;
  checks::compare_transposes<2>(compare);
  checks::compare_transposes<5>(compare);
  checks::compare_transposes<8>(compare);
  INFO(compare.closed << " of " << compare.cases << " are closed");
  CHECK(compare.closed * 100 > compare.cases * 95);
}
