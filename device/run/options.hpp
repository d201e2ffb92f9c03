// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace run {

//! The settings and the program that the command line asks for.
struct options {
  //! Environment variables for libmmm_device.so, as <device/runtime/settings.hpp> lists them.
  std::vector<std::pair<std::string, std::string>> settings{};
  bool checks = false;      //!< some check was asked for
  bool faults_fail = true;  //!< a kernel's fault has an exit status; not with --check none
  bool limits = false;
  bool baseline = false;               //!< a baseline was given
  bool list_unsupported = false;       //!< nothing is run
  std::string gpu = "h200";            //!< --gpu
  std::string json{};                  //!< --json, an absolute path
  std::vector<std::string> at_end{};   //!< what is written when the program ends: "page", …
  std::vector<std::string> command{};  //!< the program and its arguments, unchanged
};

//! Reads the command line and checks the files of limits and of a baseline. False if only `text`,
//! the help or the version, is to be printed. Throws tool::failure that says what is accepted.
[[nodiscard]] bool parse(int argc, char const* const* argv, options&, std::string& text);

}  // namespace run
