// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/nodes.hpp>
#include <mmm/layout/block_grid.hpp>

#include "../task.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace explore::cluster {

//! The figures of a simulation on a cluster.
struct simulation {
  mmm::cluster_cost cost;
  std::vector<mmm::cluster_cost> supersteps;
  index pipelined_time = 0;
  index races = 0;           //!< inside nodes, and between them
  index races_of_nodes = 0;  //!< between nodes
  std::string first_race;
  comparison result;
};

//! A grid of the nodes, and the cost on it.
struct grid_candidate {
  mmm::node_grid grid;
  mmm::cluster_cost cost;
};

//! All figures of one run on a cluster.
struct figures {
  known_cost<mmm::cluster_cost> estimate;
  std::vector<std::pair<std::string, index>> limitations;  //!< lower bounds that apply
  index lower_bound = 0;
  index upper_bound = 0;
  index constant = 0;                      //!< time <= constant * upper_bound
  std::optional<mmm::node_grid> grid;      //!< of the nodes, for algorithms on grids
  std::vector<grid_candidate> candidates;  //!< among which the grid was chosen
  std::optional<simulation> run;

  //! The cost that was found; without a simulation the largest for any data.
  [[nodiscard]] mmm::cluster_cost const& cost() const { return run ? run->cost : estimate.most; }
  //! The estimate agrees, the result is correct and there is no race, as far as that was examined.
  [[nodiscard]] bool passed() const {
    return !run || (estimate.agrees_with(run->cost) && run->result.correct && run->races == 0);
  }
};

}  // namespace explore::cluster
