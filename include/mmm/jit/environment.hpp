// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <string>

namespace mmm::jit::detail {

//! The value of an environment variable; empty if it is not set.
[[nodiscard]] inline std::string environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace mmm::jit::detail
