// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/machine_terms.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/nodes.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/machine/cluster.hpp>

//! The cost and the bounds of algorithms on clusters.
namespace mmm {

//! **Concept: algorithm on clusters.** An algorithm object with a program for clusters.
template <class A>
concept cluster_algorithm =
    algorithm<A> && requires { typename detail::cluster_program<A>::problem; };

//! The terms of bounds on a cluster.
template <cluster_machine M>
struct cluster_terms {
  M machine;
  natural k = 1;         //!< nodes
  machine_terms node{};  //!< of one node, with its threads

  constexpr cluster_terms(M const& m, threads p)
      : machine(m), k(m.nodes()), node(terms_of(m.node(), detail::threads_of_node(m, p).count)) {}
  //! The least time in which a node sends or receives this number of words: that of an exchange of
  //! one message, 0 for no words.
  [[nodiscard]] constexpr index exchange(natural words) const {
    return exchange_time(machine, words, words > 0 ? 1 : 0);
  }
};

//! The exact synchronous cost of an algorithm on a cluster, for size `n` over all nodes with `p`
//! threads over all nodes. Further parameters and errors as for one machine.
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr cluster_cost cost_of(M const& m, A const&, Size const& n, threads p,
                                             More const&... more) {
  return estimate(m, p,
                  [problem = typename detail::cluster_program<A>::problem(n, more...)](auto& on) {
                    static_cast<void>(problem.run(on));
                  });
}
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr cluster_cost cost_of(A const& a, Size const& n, threads p,
                                             More const&... more) {
  return cost_of(detail::machine_of<M>(), a, n, p, more...);
}

//! The lower bounds of the time for an algorithm's problem on a cluster whose nodes hold equal
//! parts of the input and of the results, in time units: those of one node's part, and those of the
//! network. The bounds of the part hold for programs in which each node computes the results that
//! it holds, by accesses to its own memory.
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr bound lower_bound(M const& m, A const&, Size const& n, threads p,
                                          More const&... more) {
  typename detail::cluster_program<A>::problem const problem(n, more...);
  bound b = problem.lower_bound(cluster_terms<M>(m, p));
  b.for_each([&b](char const*, index value) { b.time = value > b.time ? value : b.time; });
  return b;
}
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr bound lower_bound(A const& a, Size const& n, threads p,
                                          More const&... more) {
  return lower_bound(detail::machine_of<M>(), a, n, p, more...);
}

//! The expression for an algorithm's time on a cluster without its constant factor, which is that
//! of one node (constant_of): the node's for its part, and that of the exchanges.
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr index upper_bound(M const& m, A const&, Size const& n, threads p,
                                          More const&... more) {
  typename detail::cluster_program<A>::problem const problem(n, more...);
  return problem.upper_bound(cluster_terms<M>(m, p));
}
template <cluster_machine M, cluster_algorithm A, class Size, class... More>
[[nodiscard]] constexpr index upper_bound(A const& a, Size const& n, threads p,
                                          More const&... more) {
  return upper_bound(detail::machine_of<M>(), a, n, p, more...);
}
template <cluster_machine M, cluster_algorithm A>
[[nodiscard]] constexpr index constant_of(M const& m, A const& a) {
  return constant_of(m.node(), a);
}

}  // namespace mmm
