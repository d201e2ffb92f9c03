// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/scaling_svg.hpp>

#include "../options.hpp"
#include "../task.hpp"
#include "figures.hpp"

#include <string>
#include <vector>

//! A program on 1, 2, 4, … nodes.
namespace explore::cluster {

//! One number of nodes.
struct scaled {
  index nodes = 1;
  task done;
  figures found;
  index alone = 0;      //!< time of one node for the same size; 0: it cannot be computed
  std::string refused;  //!< why the program does not run on so many nodes; empty if it does
};

//! The figures of a task with its threads on this number of nodes. Throws tool::failure for figures
//! over 64 bits.
[[nodiscard]] figures figures_of(options const& o, task const& t, index nodes);

//! The points of a scaling: powers of two below --nodes, and --nodes. Each node has the threads
//! that it has with --nodes nodes.
[[nodiscard]] std::vector<scaled> scaling_of(options const& o, task const& t);

//! The points that run, as the report has them.
[[nodiscard]] std::vector<mmm::report::scaling_point> points_of(std::vector<scaled> const& all);

}  // namespace explore::cluster
