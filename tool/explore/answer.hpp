// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>

namespace explore {

//! The answer of a command: what is to be printed, and whether what was asked about is valid, which
//! is the program's exit status.
struct answer {
  std::string text;
  bool valid;

  answer(std::string printed, bool good = true)  // NOLINT: most commands return a text alone
      : text(std::move(printed)), valid(good) {}
};

}  // namespace explore
