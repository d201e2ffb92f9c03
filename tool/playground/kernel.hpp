// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json.hpp>

namespace playground {

using json = nlohmann::ordered_json;

//! The problems, the GPUs by name and title, and the types of values that a kernel can be asked for.
[[nodiscard]] json kernel_choices();

//! The `source` of the kernel that `arguments` ask for, a list of the arguments of `mmm-explore emit`,
//! character for character what it prints. tool::failure as there, and for the name of a file.
[[nodiscard]] json kernel_of(json const& asked);

}  // namespace playground
