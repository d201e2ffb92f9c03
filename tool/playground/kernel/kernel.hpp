// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

//! The kernels of the playground: a program of its own, which the page loads when it is asked for
//! one, since it is larger than all the rest.
namespace playground {

//! Answers a question in JSON, a list of the arguments of `mmm-explore emit`, by
//! `{"source": text}`, character for character what that prints; one that cannot be answered by
//! `{"error": message}`.
[[nodiscard]] std::string kernel(std::string const& question);

}  // namespace playground
