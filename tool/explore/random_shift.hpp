// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

//! `mmm-explore random-shift`: the expected congestion of a matrix with randomly shifted rows.
namespace explore::random_shift {

inline constexpr char const* paper = "Nakano, Matsumae and Ito 2013";
inline constexpr char const* summary =
    "expected stages of an access to a matrix whose rows are shifted at random: --width, --access, "
    "--scheme";

//! Does what the arguments after `random-shift` ask for, writes the file and returns what is to be
//! printed. Throws tool::failure that names what cannot be used.
[[nodiscard]] std::string run(int argc, char const* const* argv);

}  // namespace explore::random_shift
