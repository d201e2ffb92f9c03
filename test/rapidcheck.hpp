// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rapidcheck under Catch2, whatever its version: in a TEST_CASE,
//   holds("what holds", [](int a, int b) { RC_ASSERT(a + b == b + a); });
// A counterexample and the seed that finds it again are printed. RC_PARAMS="max_success=1000" tries
// more cases.
#pragma once

#include "catch.hpp"

#include <rapidcheck.h>

#include <string>
#include <utility>

template <class Property>
void holds(std::string const& what, Property&& property) {
  INFO(what);
  CHECK(rc::check(what, std::forward<Property>(property)));
}
