// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../answer.hpp"
#include "../options.hpp"

//! mmm-explore with --nodes.
namespace explore::cluster {

//! The cost and the bounds on the cluster that was asked for, or its scaling.
[[nodiscard]] answer run(options const& o);

}  // namespace explore::cluster
