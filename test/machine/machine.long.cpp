// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_checks.hpp"

TEST_CASE("further widths at run time cost what fixed ones do", "[width]") {
  checks::same_as_fixed<1>();
  checks::same_as_fixed<24>();
  checks::same_as_fixed<64>();
}
