// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../options.hpp"
#include "scaling.hpp"

#include <string>
#include <vector>

//! The figures of clusters as text and as JSON.
namespace explore::cluster {

//! \param input where the data came from, in words.
[[nodiscard]] std::string table_text(options const& o, task const& t, figures const& f,
                                     std::string const& input);
[[nodiscard]] std::string json_text(options const& o, task const& t, figures const& f);

//! A scaling: a line for each number of nodes, and where the network takes over.
[[nodiscard]] std::string table_text(options const& o, task const& t,
                                     std::vector<scaled> const& all);
[[nodiscard]] std::string json_text(options const& o, task const& t,
                                    std::vector<scaled> const& all);
[[nodiscard]] std::string picture_of(options const& o, task const& t,
                                     std::vector<scaled> const& all);

}  // namespace explore::cluster
