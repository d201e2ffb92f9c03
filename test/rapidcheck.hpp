// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses rapidcheck in a TEST_CASE of any Catch2 version:
//   holds("a property", [](int a, int b) { RC_ASSERT(a + b == b + a); });
// A failure prints the counterexample and the seed that reproduces it.
// RC_PARAMS="max_success=1000" tries more cases.
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
