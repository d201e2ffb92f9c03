// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

//! `mmm-explore layout`: where a layout's elements lie.
namespace explore::layout {

inline constexpr char const* summary =
    "banks of a layout's elements, and the stages of rows and columns: mmm-explore layout --help";

//! Does what the arguments after `layout` ask for, writes the file and returns what is to be
//! printed. Throws tool::failure that names what cannot be used.
[[nodiscard]] std::string run(int argc, char const* const* argv);

}  // namespace explore::layout
