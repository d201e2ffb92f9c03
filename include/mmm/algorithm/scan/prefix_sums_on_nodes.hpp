// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/reduce/fold_bounds_on_nodes.hpp>
#include <mmm/algorithm/reduce/sum_on_nodes.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/scan_of_node.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/nodes.hpp>

//! Prefix-sums on a cluster in three supersteps: each node scans its words, the network scans the
//! folds of the nodes, and each node combines its words with the fold of those before it.
//!
//! The alternative is to fold the words first and to scan them with the fold of the nodes before as
//! the initial value. It needs a fold that keeps the order of the words, which mmm::sum does not.
//! On an HMM it also accesses the global memory more often, 5n times for 4n: here a node stops its
//! scan before it adds the totals of chunks to the words, and adds both in one step. On a DMM or
//! UMM a fold by a tree takes three accesses of n words, for two here. Time units of a node with
//! 10^7 words: on hmm<16, 32, 1, 400> with 4096 threads 5.40 million (the scan of one machine: 5.36
//! million) for 6.65 million, on umm<32, 400> with 16,384 threads 7.10 million for 7.76 million
//! (test/algorithm/scan/prefix_sums_on_nodes.cpp). On a PRAM with many
//! words for each thread, folding first takes a tenth less.
namespace mmm::detail {

//! A node's part of an array of chunks' totals, in words.
template <class Machine, class Parts>
struct totals_of_parts {
  Machine node;
  Parts parts;
  [[nodiscard]] constexpr index words(index r) const {
    return chunks_before_last(node, parts.words(r));
  }
};

//! A scan on a cluster, of `parts.words(r)` values on node r. A node that has values performs
//! `scan(local, r, n, sums, …)`, the program node_scan and its arguments: `sums` is an iterator of
//! the n values to be scanned, and totals of chunks, the last total and the last value follow. Then
//! it performs `results_of(local, r, n, program, sums, totals)`, a node_results and its arguments.
template <class Value, bool Exclusive, class On, class Parts, class Operator, class Init,
          class Scan, class Results>
constexpr void scan_on_nodes(On& on, Parts const& parts, Operator const& op, Init const& initial,
                             Scan const& scan, Results const& results_of) {
  using machine_type = decltype(on.machine().node());
  using partial = partial_fold<Value>;
  auto const sums = on.template allocate<Value>(parts);
  auto const totals =
      on.template allocate<Value>(totals_of_parts<machine_type, Parts>{on.machine().node(), parts});
  auto const own = on.each_node([=](auto& local, index r) {
    index const n = parts.words(r);
    if (n == 0) return partial{};
    index const before = chunks_before_last(local.machine(), n);
    Value last_total{};
    Value last{};
    scan(local, r, n, sums.part(r), writes<Value>(totals.part(r), before), results(&last_total),
         results(&last));
    return partial{before > 0 ? static_cast<Value>(op(last_total, last)) : last, true};
  });
  partial start{};
  if constexpr (is_init<Init>) start = {initial.value, true};
  auto const before_node = on.exclusive_scan(own, fold_present<Operator>{op}, start);
  on.each_node([=](auto& local, index r) {
    index const n = parts.words(r);
    if (n == 0) return;
    auto const finish = [&](auto const& program) {
      results_of(local, r, n, program, reads<Value>(sums.part(r), n),
                 reads<Value>(totals.part(r), chunks_before_last(local.machine(), n)));
    };
    Value const before = before_node[r].value;
    if constexpr (is_init<Init>)
      finish(node_results<Operator, Value, Exclusive, true>{op, before});
    else if (parts.place(r, 0) > 0)
      finish(node_results<Operator, Value, false, true>{op, before});
    else
      finish(node_results<Operator, Value, false, false>{op, before});
  });
}

template <bool Exclusive>
struct cluster_program<prefix_sums_algorithm<false, Exclusive>> {
  using one_node = typename prefix_sums_algorithm<false, Exclusive>::problem;

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    //! The prefix-sums of the words of all nodes. Forms as of mmm::prefix_sums.
    template <class On, class In = no_data, class Out = no_data, class... Form>
    constexpr void run(On& on, In first = {}, Out out = {}, Form const&... form) const {
      auto const combine = scan_combination_of<Exclusive, In>(form...);
      compare_initial(on, combine.initial);
      using value =
          combined_t<iterator_value_t<In>, decltype(combine.op), decltype(combine.initial)>;
      auto const op = combining_in<value>(combine.op);
      using combine_values = remove_const_t<decltype(op)>;
      if constexpr (!is_same_v<In, no_data>) {
        auto result = writes<value>(out, n);
        result.in_place = updates(first, n, out).in_place;
        reject_overlap_of(result, reads<value>(first, n));
      }
      auto const parts = on.distribution_of(n);
      auto const a = on.bring(first, parts);
      auto const b = on.template results<iterator_value_t<Out>>(out, parts);
      if (on.nodes() == 1)
        on.each_node([=](auto& local, index r) {
          one_node(size(parts.words(r))).run(local, a.part(r), b.part(r), form...);
        });
      else
        scan_on_nodes<value, Exclusive>(
            on, parts, op, combine.initial,
            [=](auto& local, index r, index words, auto const& sums, auto const&... more) {
              perform(local, node_scan<combine_values>{op}, updates<value>(a.part(r), words, sums),
                      words, more...);
            },
            [=](auto& local, index r, index words, auto const& program, auto const& sums,
                auto const& totals) {
              perform(local, program, sums, words, totals, writes<value>(b.part(r), words));
            });
      on.deliver(b, out, parts);
    }
    //! The bound of the fold, which is the last prefix-sum.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return fold_bound_on_nodes(m, n);
    }
    //! The node's for its part, the time of two more accesses of the part, and merge_time of all
    //! nodes' folds.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const part = n / m.k;
      return scan_time_on_nodes(m, part, one_node(size(part)).upper_bound(m.node));
    }
  };
};

}  // namespace mmm::detail
