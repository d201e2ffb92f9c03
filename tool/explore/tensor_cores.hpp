// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "answer.hpp"

#include <string>

//! `mmm-explore fragment`, `tensor-map` and `wgmma`: what tensor cores read, and why not.
namespace explore::tensor_cores {

//! Each does what the arguments after the command's name ask for, writes the file and returns the
//! answer, which is not valid if a rule is broken. Throws tool::failure that names what cannot be
//! used.
[[nodiscard]] std::string fragment(int argc, char const* const* argv);
[[nodiscard]] answer tensor_map(int argc, char const* const* argv);
[[nodiscard]] answer wgmma(int argc, char const* const* argv);

}  // namespace explore::tensor_cores
