// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

//! `mmm-explore figure`: figures of the papers, drawn from runs of the library's algorithms.
namespace explore::figure {

inline constexpr char const* summary = "draws the papers' figures: mmm-explore figure --list";

//! Does what the arguments after `figure` ask for, writes the file and returns what is to be
//! printed. Throws tool::failure that names what cannot be used.
[[nodiscard]] std::string run(int argc, char const* const* argv);

}  // namespace explore::figure
