// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"

#include <string>

//! `mmm-explore pattern EXPRESSION --for-all NAME=VALUES …`: a statement for all values of one
//! name, or of two or three.
namespace explore::pattern {

//! Decides it and returns what is to be printed. Throws tool::failure for what --for-all does not
//! accept, and what the library throws for what periods do not decide.
[[nodiscard]] std::string decided_for_all(options const& o);

}  // namespace explore::pattern
