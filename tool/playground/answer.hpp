// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

//! The questions of the playground's page to the library.
namespace playground {

//! Answers one question in JSON by JSON. The questions, by their `ask`:
//!
//! - `choices`: the GPUs and the algorithms that can be asked for, and the problems, GPUs and types
//!   of kernels (kernel/kernel.hpp).
//! - `pattern`: the figures, the served stages and the assertion of the index expression that
//!   `arguments` gives, a list of the arguments of `mmm-explore pattern`.
//! - `costs`: what each of the expressions `patterns` takes with these `arguments`.
//! - `rounds`: an algorithm round by round (rounds.hpp).
//!
//! What cannot be answered is `{"error": message}` with the library's message.
[[nodiscard]] std::string answer(std::string const& question);

}  // namespace playground
