// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "answer.hpp"

//! `mmm-explore emit`: the kernel with the least predicted time for a problem, as CUDA source.
namespace explore::emit {

inline constexpr char const* summary =
    "the kernel with the least predicted time for a problem, as a CUDA file: mmm-explore emit "
    "--help";

//! Does what the arguments after `emit` ask for, writes the file and returns what is to be printed.
//! Throws tool::failure that names what cannot be used.
[[nodiscard]] answer run(int argc, char const* const* argv);

}  // namespace explore::emit
