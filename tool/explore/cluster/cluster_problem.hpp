// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cluster.hpp>

#include "../problem.hpp"
#include "programs.hpp"

#include <tuple>
#include <type_traits>

//! From an algorithm object of the library to a program of clusters.
namespace explore::cluster {

//! An algorithm whose cost has no parameters besides a size.
struct size_alone {
  [[nodiscard]] static std::tuple<> more(extra_numbers const&) { return {}; }
};

template <auto const& Algorithm, class Parameters, class Node>
[[nodiscard]] figures figures_on(chosen_cluster<Node> const& machine, task const& t) {
  mmm::size const n(t.size);
  mmm::threads const p(t.threads);
  figures f;
  auto const fill = [&](auto const&... more) {
    f.cost = mmm::cost_of(machine, Algorithm, n, p, more...);
    using problem =
        typename mmm::detail::cluster_program<std::remove_cvref_t<decltype(Algorithm)>>::problem;
    using terms = mmm::cluster_terms<chosen_cluster<Node>>;
    if constexpr (requires(problem const& q, terms const& m) { q.lower_bound(m); }) {
      mmm::bound const lower = mmm::lower_bound(machine, Algorithm, n, p, more...);
      lower.for_each(
          [&f](char const* name, index value) { f.limitations.emplace_back(name, value); });
      f.lower_bound = lower.time;
    }
  };
  std::apply(fill, Parameters::more(t.extra));
  return f;
}

template <auto const& Algorithm, class Parameters>
[[nodiscard]] figures run_on_nodes(machine_choice const& node, network_choice const& network,
                                   task const& t) {
  figures f;
  auto const accepts = [](auto kind) {
    return hana::bool_c < kind.key != machine_kind::clusters &&
           is_among<kind.key>(Algorithm.kinds) > ;
  };
  with_machine(node, accepts, [&](auto const& machine) {
    chosen_cluster<std::remove_cvref_t<decltype(machine)>> const all{machine, network};
    f = figures_on<Algorithm, Parameters>(all, t);
  });
  return f;
}

//! The program of an algorithm; one that cannot run if it has none.
//! \tparam Parameters has `more(extra_numbers)`, the arguments of mmm::cost_of after the threads.
template <auto const& Algorithm, class Parameters = size_alone>
[[nodiscard]] program program_for() {
  using algorithm = std::remove_cvref_t<decltype(Algorithm)>;
  if constexpr (mmm::cluster_algorithm<algorithm>)
    return {algorithm::name, run_on_nodes<Algorithm, Parameters>};
  else
    return {algorithm::name, nullptr};
}

}  // namespace explore::cluster
