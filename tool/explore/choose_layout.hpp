// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "answer.hpp"

//! `mmm-explore choose-layout`: the layout of a tile with the fewest bank conflicts, and the proof.
namespace explore::choose_layout {

inline constexpr char const* summary =
    "the layout of a tile in shared memory that costs least, with a proof: "
    "mmm-explore choose-layout --help";

//! Does what the arguments after `choose-layout` ask for, writes the file and returns what is to be
//! printed; not valid if --prove is given and the proof is open or does not pass its check. Throws
//! tool::failure that names what cannot be used.
[[nodiscard]] answer run(int argc, char const* const* argv);

}  // namespace explore::choose_layout
