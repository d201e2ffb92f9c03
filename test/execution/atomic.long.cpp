// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic_checks.hpp"

#include <cstdint>

TEST_CASE("the updates of further words of four and eight bytes") {
  checks::updates_right<std::uint64_t>();
  checks::updates_right<float>();
}
