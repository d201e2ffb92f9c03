// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace run {

//! Runs a program with more in its environment until it ends; signals that reach this process
//! meanwhile are passed on. Returns its exit status, or 128 and the signal that ended it, which is
//! then said on stderr.
//! Throws tool::failure if it cannot be started.
[[nodiscard]] int run_child(std::string const& path, std::vector<std::string> const& command,
                            std::vector<std::pair<std::string, std::string>> const& environment);

}  // namespace run
