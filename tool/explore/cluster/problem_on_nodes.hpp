// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/cluster.hpp>
#include <mmm/choose/fastest_on_nodes.hpp>
#include <mmm/execution/simulate/nodes.hpp>

#include "../problem.hpp"
#include "figures.hpp"
#include "network_choice.hpp"

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

//! From a problem (problem.hpp) to an entry that runs on one machine and on clusters. Its source
//! file includes the header `*_on_nodes.hpp` of the algorithm, too.
//!
//! Members that a problem may have besides those for one machine:
//!   - `more_on_nodes(extra)`: the arguments of mmm::cost_of and of the bounds after the threads,
//!     if they are not those of `more`;
//!   - `estimate_on_nodes(cluster, mmm::size, mmm::threads)`: a known_cost<mmm::cluster_cost>,
//!     if the cost depends on the data;
//!   - `default_grid(cluster, mmm::size, extra)`: the grid of nodes of an algorithm on grids, if
//!     none is given.
namespace explore::cluster {

[[nodiscard]] std::string description(mmm::node_race const& r);

template <class Problem>
[[nodiscard]] auto parameters_on_nodes(extra_numbers const& extra) {
  if constexpr (requires { Problem::more_on_nodes(extra); })
    return Problem::more_on_nodes(extra);
  else
    return Problem::more(extra);
}

//! Simulates a problem on a cluster.
template <class Problem, class M>
[[nodiscard]] simulation simulate_on_nodes(M const& all, task const& t,
                                           extra_numbers const& extra) {
  Problem problem{{t.words, t.size, extra, t.seed}};
  observer::traced = false;
  auto done = mmm::simulate(
      all, mmm::threads(t.threads), [&problem](auto on) { return problem(on); }, observer{});
  simulation s;
  s.cost = done.cost;
  s.supersteps = std::move(done.supersteps);
  s.pipelined_time = done.pipelined_time;
  s.races = done.race_count + done.node_race_count;
  s.races_of_nodes = done.node_race_count;
  if (!done.node_races.empty()) s.first_race = description(done.node_races.front());
  s.result = problem.compare(t.words, done.result);
  return s;
}

//! The figures of a task without a simulation. `extra` has the grid of nodes, if there is one.
template <class Problem, class M>
[[nodiscard]] figures figures_on(M const& all, task const& t, extra_numbers const& extra) {
  auto const& algorithm = Problem::algorithm;
  mmm::size const n(t.size);
  mmm::threads const p(t.threads);
  figures f;
  auto const with = [&](auto const&... more) {
    if constexpr (requires { Problem::estimate_on_nodes(all, n, p); })
      f.estimate = Problem::estimate_on_nodes(all, n, p);
    else
      f.estimate.least = f.estimate.most = mmm::cost_of(all, algorithm, n, p, more...);
    mmm::bound const lower = mmm::lower_bound(all, algorithm, n, p, more...);
    lower.for_each(
        [&f](char const* name, index value) { f.limitations.emplace_back(name, value); });
    f.lower_bound = lower.time;
    f.upper_bound = mmm::upper_bound(all, algorithm, n, p, more...);
  };
  std::apply(with, parameters_on_nodes<Problem>(extra));
  bool const divides = t.size % all.nodes() == 0 && t.size > 0 &&
                       sizes_divide(all.node(), t.size / all.nodes(), t.threads / all.nodes());
  f.constant = (divides ? 1 : 2) * mmm::constant_of(all, algorithm);
  f.grid = extra.grid;
  return f;
}

//! Chooses the grid of nodes by cost. Returns the candidates.
template <class Problem, class M>
[[nodiscard]] std::vector<grid_candidate> choose_grid(M const& all, task const& t,
                                                      extra_numbers& extra) {
  using algorithm = std::remove_cvref_t<decltype(Problem::algorithm)>;
  std::vector<grid_candidate> candidates;
  index least = 0;
  mmm::detail::cluster_program<algorithm>::problem::each_candidate(
      all.nodes(), [&](mmm::node_grid const& grid) {
        extra_numbers on_grid = extra;
        on_grid.grid = grid;
        auto const cost = [&](auto const&... more) {
          return mmm::cost_of(all, Problem::algorithm, mmm::size(t.size), mmm::threads(t.threads),
                              more...);
        };
        candidates.push_back({grid, std::apply(cost, Problem::more_on_nodes(on_grid))});
        index const time = candidates.back().cost.time;
        if (candidates.size() > 1 && time >= least) return;
        least = time;
        extra.grid = grid;
      });
  return candidates;
}

template <class Problem, class M>
[[nodiscard]] figures run_problem_on_nodes(M const& all, task const& t) {
  extra_numbers extra = t.extra;
  std::vector<grid_candidate> candidates;
  if constexpr (Problem::uses.grid) {
    if (extra.best_grid)
      candidates = choose_grid<Problem>(all, t, extra);
    else if (!extra.grid)
      extra.grid = Problem::default_grid(all, mmm::size(t.size), extra);
  }
  figures f = figures_on<Problem>(all, t, extra);
  f.candidates = std::move(candidates);
  if (t.simulate)
    f.run = simulate_on_nodes<Problem>(all, t, extra);
  else if (!f.estimate.known)
    throw tool::failure(std::string("the cost of ") + Problem::algorithm.name +
                        " on this machine depends on its input; leave out --no-simulate and "
                        "--scaling");
  return f;
}

template <class Problem>
[[nodiscard]] figures run_on_nodes(machine_choice const& node, network_choice const& network,
                                   task const& t) {
  figures f;
  auto const accepts = [](auto kind) { return hana::bool_c<is_for<Problem, kind.key>()>; };
  with_machine(node, accepts, [&](auto const& machine) {
    chosen_cluster<std::remove_cvref_t<decltype(machine)>> const all{machine, network};
    f = run_problem_on_nodes<Problem>(all, t);
  });
  return f;
}

//! The entry of a problem whose algorithm has a program for clusters.
template <class Problem>
[[nodiscard]] algorithm_entry entry_of() {
  static_assert(mmm::cluster_algorithm<std::remove_cvref_t<decltype(Problem::algorithm)>>);
  algorithm_entry entry = explore::entry_of<Problem>();
  entry.run_on_nodes = run_on_nodes<Problem>;
  return entry;
}

}  // namespace explore::cluster
