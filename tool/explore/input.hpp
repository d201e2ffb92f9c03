// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"
#include "task.hpp"

#include <string>

namespace explore {

//! Fills the task's size and words from the input file or the seed, and says in words where they
//! come from.
//! Throws tool::failure if the file cannot be used or is too small for --size.
[[nodiscard]] std::string prepare_input(options& o, task& t);

}  // namespace explore
