// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace run {

//! Environment variables by name; those without a value are removed.
using variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

//! Runs a program to its end with more variables in its environment; signals that reach this
//! process meanwhile are passed on. Returns the program's exit status, or 128 plus the number of
//! the signal that ended it, which is then reported on stderr.
//! Throws tool::failure if it cannot be started.
[[nodiscard]] int run_child(std::string const& path, std::vector<std::string> const& command,
                            variables const& environment);

}  // namespace run
