// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/layout/block_grid.hpp>
#include <mmm/machine/cluster.hpp>

//! One node or the whole cluster, and which grid of nodes, by exact cost.
namespace mmm {

//! How an algorithm is quickest on a cluster, and its cost there.
struct nodes_choice {
  bool on_cluster = false;  //!< false: on one node, which has all data
  node_grid grid{};         //!< of the nodes, for algorithms on grids; 1 x 1 on one node
  cluster_cost cost{};
  friend constexpr bool operator==(nodes_choice const&, nodes_choice const&) = default;
};

namespace detail {

//! Algorithms on clusters that take a mmm::node_grid.
template <class A>
concept runs_on_grids = requires(void (*f)(node_grid const&)) {
  cluster_program<A>::problem::each_candidate(index{1}, f);
};

}  // namespace detail

//! The quickest candidate among these, with its exact cost:
//!   - the algorithm on one node, which has all data, with that node's share of the threads;
//!   - the algorithm on all nodes, each of which has its part of the data in the beginning. An
//!     algorithm that takes a mmm::node_grid is a candidate on each grid of the nodes, flat or in
//!     layers.
//! If several are equally quick, it is the one node, or else the grid with the fewest layers, then
//! with the fewest rows.
//! \param p threads over all nodes. Further parameters: those of the algorithm on one machine.
//! Errors: those of mmm::cost_of. Time: that of mmm::cost_of for each candidate.
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr nodes_choice fastest_on_nodes(M const& m, A const& a, Size const& n,
                                                      threads p, More const&... more) {
  cost const alone = cost_of(m.node(), a, n, detail::threads_of_node(m, p), more...);
  nodes_choice best{.cost = {.work = alone, .time = alone.time}};
  auto const consider = [&best](node_grid const& grid, cluster_cost const& c) {
    if (c.time < best.cost.time) best = {true, grid, c};
  };
  if constexpr (detail::runs_on_grids<A>)
    detail::cluster_program<A>::problem::each_candidate(m.nodes(), [&](node_grid const& grid) {
      consider(grid, cost_of(m, a, n, p, more..., grid));
    });
  else
    consider(node_grid(1, m.nodes()), cost_of(m, a, n, p, more...));
  return best;
}
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr nodes_choice fastest_on_nodes(A const& a, Size const& n, threads p,
                                                      More const&... more) {
  return fastest_on_nodes(detail::machine_of<M>(), a, n, p, more...);
}

}  // namespace mmm
