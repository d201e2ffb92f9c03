// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>

//! Code that the tools and the examples share: reading data and images, writing pictures, messages.
namespace tool {

//! Something the caller of a program gave cannot be used; `what()` names it and says what is
//! accepted.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tool
