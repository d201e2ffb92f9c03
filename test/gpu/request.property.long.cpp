// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request_property_checks.hpp"

TEST_CASE("wavefronts, sectors and lines of expressions, with accesses of 2 and 8 bytes") {
  holds("2 bytes", checks::expressions_agree<mmm::gpu::load<2>>);
  holds("8 bytes", checks::expressions_agree<mmm::gpu::load<8>>);
}
