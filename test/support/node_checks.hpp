// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cluster.hpp>

#include "catch.hpp"

#include <cstdint>
#include <vector>

//! Properties of every algorithm on clusters: estimate and simulation agree, whether an estimate
//! examines each node or only those where sizes change; there are no races; lower bound <= time <=
//! constant * upper bound.
namespace checks {

//! Clusters whose number of nodes is known at run time: their nodes are HMMs, or one memory.
using hmm_nodes = mmm::cluster<mmm::dynamic, 2, 30, mmm::hmm<2, 4, 2, 9>>;
using dmm_nodes = mmm::cluster<mmm::dynamic, 1, 5, mmm::dmm<4, 3>>;
using umm_nodes = mmm::cluster<mmm::dynamic, mmm::gap(1, 3), 50, mmm::umm<4, 5>, 7>;

//! Numbers whose sums are exact in any order.
inline std::vector<std::int64_t> numbers_on_nodes(mmm::index n) {
  std::vector<std::int64_t> a(static_cast<std::size_t>(n));
  for (mmm::index i = 0; i < n; ++i) a[static_cast<std::size_t>(i)] = (i * 7919 + 13) % 1009 - 300;
  return a;
}

inline void equal_cost(mmm::cluster_cost const& a, mmm::cluster_cost const& b) {
  CHECK(a.time == b.time);
  CHECK(a.work.rounds == b.work.rounds);
  CHECK(a.work.stages == b.work.stages);
  CHECK(a.work.time == b.work.time);
  CHECK(a.network == b.network);
}

//! Simulates `call(on)`, a call of the algorithm for the size, and checks its cost and races.
//! Returns the simulation.
template <class M, class Algorithm, class Size, class Call, class... More>
auto cost_on_nodes(M const& m, Algorithm const& algorithm, Size const& n, mmm::threads p,
                   Call const& call, More const&... more) {
  CAPTURE(algorithm.name, m.nodes(), p.count);
  auto run = mmm::simulate(m, p, call);
  {
    INFO("the estimate that examines the nodes where sizes change");
    equal_cost(run.cost, mmm::cost_of(m, algorithm, n, p, more...));
  }
  {
    INFO("the estimate that examines every node");
    typename mmm::detail::cluster_program<Algorithm>::problem const problem(n, more...);
    equal_cost(run.cost, mmm::estimate(
                             m, p, [&](auto& on) { static_cast<void>(problem.run(on)); },
                             mmm::examined_ranks::all));
  }
  {
    INFO("the sum of the supersteps, each but the last with an exchange");
    mmm::cluster_cost sum;
    for (mmm::cluster_cost const& c : run.supersteps) {
      sum = {sum.work + c.work, sum.network + c.network, sum.time + c.time};
      if (&c != &run.supersteps.back()) CHECK(c.network.supersteps > 0);
    }
    equal_cost(run.cost, sum);
  }
  CHECK(run.race_count == 0);
  CHECK(run.node_race_count == 0);
  CHECK(run.pipelined_time <= run.cost.time);
  return run;
}

//! cost_on_nodes, and the bounds; twice the upper bound unless the sizes divide.
template <class M, class Algorithm, class Size, class Call, class... More>
auto figures_on_nodes(M const& m, Algorithm const& algorithm, Size const& n, mmm::threads p,
                      bool divides, Call const& call, More const&... more) {
  auto run = cost_on_nodes(m, algorithm, n, p, call, more...);
  CAPTURE(algorithm.name, m.nodes(), p.count, divides);
  CHECK(mmm::lower_bound(m, algorithm, n, p, more...).time <= run.cost.time);
  CHECK(run.cost.time <= (divides ? 1 : 2) * mmm::constant_of(m, algorithm) *
                             mmm::upper_bound(m, algorithm, n, p, more...));
  return run;
}

}  // namespace checks
