// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../answer.hpp"
#include "../options.hpp"

//! mmm-explore with --nodes.
namespace explore::cluster {

//! The figures on the cluster that was asked for, or its scaling. `input` says where the words of
//! `done` come from.
[[nodiscard]] answer run(options const& o, task const& done, std::string const& input);

}  // namespace explore::cluster
