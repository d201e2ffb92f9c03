// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/machine/cluster.hpp>

//! Bounds of the time for folds and scans on a cluster.
namespace mmm::detail {

//! The least time in which exchanges merge the values of q nodes into one, in time units. A node
//! that receives h words in an exchange knows the fold of at most 1 + h times as many values as the
//! best informed node before it, and only if the words are from h nodes. Exchanges of h_1, …, h_s
//! words therefore need (1 + h_1) … (1 + h_s) >= q, and take (g + o) (h_1 + … + h_s) + s L, with
//! the overhead o of a message. The sum is least where the h_i differ by at most 1. The time of
//! tree_traffic is at most twice this.
template <cluster_machine M>
[[nodiscard]] constexpr index merge_time(M const& m, index q) {
  if (q <= 1) return 0;
  gap const g = m.network_gap();
  index least = 0;
  for (index rounds = 1; rounds <= ceil_log2(q); ++rounds) {
    index const factor = ceil_root(q, rounds);
    // larger_ones of the 1 + h_i are `factor`, the others `factor - 1`
    auto const reaches = [&](index larger_ones) {
      index rest = q;
      for (index i = 0; i < rounds; ++i)
        rest = ceil_divide(rest, i < larger_ones ? factor : factor - 1);
      return rest == 1;
    };
    index larger_ones = 1;
    while (!reaches(larger_ones)) ++larger_ones;
    index const words = rounds * (factor - 2) + larger_ones;
    index const time = checked_add(ceil_divide(checked_multiply(words, g.time), g.words),
                                   checked_add(checked_multiply(m.message_overhead(), words),
                                               checked_multiply(rounds, m.network_latency())));
    least = rounds == 1 ? time : smaller(least, time);
  }
  return least;
}

//! The expression for the time of a scan on a cluster with `part` words on each node; that of one
//! node is `scan`. On several nodes it has two more accesses of the part, and the merge of the
//! nodes' values.
template <cluster_machine M>
[[nodiscard]] constexpr natural scan_time_on_nodes(cluster_terms<M> const& m, natural part,
                                                   natural scan) {
  if (m.k == 1) return scan;
  return scan + part / m.node.at_once() + part * m.node.L / m.node.p +
         natural(merge_time(m.machine, m.k));
}

//! The bounds for folding n words on a cluster, equal parts of which are at the nodes: those of a
//! node's part, and those of merging the nodes' values. The bandwidth of the network is that of
//! log2 of as many words as nodes have values.
template <cluster_machine M>
[[nodiscard]] constexpr bound fold_bound_on_nodes(cluster_terms<M> const& m, natural n) {
  bound b = fold_bound(m.node, n / m.k, m.node.p);
  natural const q = smaller(n, m.k);
  if (q > 1) {
    gap const g = m.machine.network_gap();
    b.network_bandwidth = log2(q) * natural(g.time) / natural(g.words);
    b.network_latency = merge_time(m.machine, q);
  }
  return b;
}

}  // namespace mmm::detail
