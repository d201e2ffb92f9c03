// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace run {

//! What the command line asks for.
struct options {
  //! For libmmm_device.so: MMM_RUN_… and its value, as <device/runtime/settings.hpp> says.
  std::vector<std::pair<std::string, std::string>> settings{};
  bool checks = false;  //!< some check was asked for
  bool limits = false;
  bool page = false;                   //!< an HTML page was asked for
  std::vector<std::string> command{};  //!< the program and its arguments, unchanged
};

//! Reads the command line, and the file of limits to see whether it is one. False if only `text` is to be printed.
//! Throws tool::failure that says what is accepted.
[[nodiscard]] bool parse(int argc, char const* const* argv, options&, std::string& text);

}  // namespace run
