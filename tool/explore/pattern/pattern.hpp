// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

//! `mmm-explore pattern`: the cost of an index expression that the user types.
namespace explore::pattern {

inline constexpr char const* summary =
    "stages of a request whose addresses are an index expression: mmm-explore pattern --help";

//! Does what the arguments after `pattern` ask for, writes the files and returns what is to be
//! printed. Throws tool::failure that names what cannot be used.
[[nodiscard]] std::string run(int argc, char const* const* argv);

}  // namespace explore::pattern
