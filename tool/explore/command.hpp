// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "answer.hpp"

namespace explore {

//! The answer to a command line, with the files written that it names. argv[0] is the program's
//! name. One call at a time.
//! Throws tool::failure, or another std::exception, that names option, value and what is accepted.
[[nodiscard]] answer run(int argc, char const* const* argv);

}  // namespace explore
