// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cluster.hpp>

#include "../problem.hpp"
#include "programs.hpp"

#include <string>
#include <tuple>
#include <type_traits>

//! From an algorithm object of the library to a program of clusters.
namespace explore::cluster {

//! The arguments of mmm::cost_of and of the bounds after the threads: `more(extra)`. If the cost
//! depends on the input, `more(extra, places)` has those of costs for the least and the most
//! stages. Without `on_hmm` the cost on an hmm has no closed form.
struct size_alone {
  static constexpr bool on_hmm = true;
  [[nodiscard]] static std::tuple<> more(extra_numbers const&) { return {}; }
};

template <auto const& Algorithm, class Parameters, class Node>
[[nodiscard]] figures figures_on(chosen_cluster<Node> const& machine, task const& t) {
  mmm::size const n(t.size);
  mmm::threads const p(t.threads);
  auto const cost_with = [&](auto const&... more) {
    return mmm::cost_of(machine, Algorithm, n, p, more...);
  };
  figures f;
  if constexpr (requires { Parameters::more(t.extra, mmm::scatter::contiguous); }) {
    f.least = std::apply(cost_with, Parameters::more(t.extra, mmm::scatter::contiguous));
    f.cost = std::apply(cost_with, Parameters::more(t.extra, mmm::scatter::conflicting));
  } else {
    f.least = f.cost = std::apply(cost_with, Parameters::more(t.extra));
  }
  mmm::bound const lower = std::apply(
      [&](auto const&... more) { return mmm::lower_bound(machine, Algorithm, n, p, more...); },
      Parameters::more(t.extra));
  lower.for_each([&f](char const* name, index value) { f.limitations.emplace_back(name, value); });
  f.lower_bound = lower.time;
  return f;
}

//! True if clusters of this kind of machine run the algorithm.
template <auto const& Algorithm, class Parameters, machine_kind Kind>
inline constexpr bool accepted =
    Kind != machine_kind::clusters && is_among<Kind>(Algorithm.kinds) &&
    (Kind != machine_kind::hmm || Parameters::on_hmm);

template <auto const& Algorithm, class Parameters>
[[nodiscard]] figures run_on_nodes(machine_choice const& node, network_choice const& network,
                                   task const& t) {
  figures f;
  bool done = false;
  auto const accepts = [](auto kind) {
    return hana::bool_c<accepted<Algorithm, Parameters, kind.key>>;
  };
  with_machine(node, accepts, [&](auto const& machine) {
    chosen_cluster<std::remove_cvref_t<decltype(machine)>> const all{machine, network};
    f = figures_on<Algorithm, Parameters>(all, t);
    done = true;
  });
  if (!done)
    throw tool::failure(std::string("the cost of ") + Algorithm.name +
                        " on this machine depends on its input, and nothing is simulated with "
                        "--nodes; accepted: another --machine");
  return f;
}

//! The program of an algorithm.
//! \tparam Parameters as size_alone.
template <auto const& Algorithm, class Parameters = size_alone>
[[nodiscard]] program program_for() {
  using algorithm = std::remove_cvref_t<decltype(Algorithm)>;
  static_assert(mmm::cluster_algorithm<algorithm>);
  return {algorithm::name, run_on_nodes<Algorithm, Parameters>};
}

}  // namespace explore::cluster
