// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace explore {

//! The answer of a command: the text to print, and whether what was asked about is valid, which
//! is the program's exit status.
struct answer {
  std::string text;
  bool valid;
  std::vector<std::string> notes{};  //!< about options that were given but do not matter

  answer(std::string printed, bool good = true)  // NOLINT: most commands return a text alone
      : text(std::move(printed)), valid(good) {}
};

}  // namespace explore
