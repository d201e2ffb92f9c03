// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/core/demangled.hpp>

TEST_CASE("names as their sources have them") {
  CHECK(device::demangled("_Z4fillPfi") == "fill(float*, int)");
  CHECK(device::demangled("add_kernel") == "add_kernel");
  CHECK(device::demangled("_ZN3one3twoB2v1B3w_xEv") == "one::two()");
  CHECK(device::demangled("__nv_static_10__abcd_cu_1__Z4fillPfi") == "fill(float*, int)");
  CHECK(device::demangled("__nv_static_99__abcd") == "__nv_static_99__abcd");
  CHECK(device::demangled("__nv_static_x") == "__nv_static_x");
  CHECK(device::demangled("f") == "f");
  CHECK(device::demangled("") == "");
}
