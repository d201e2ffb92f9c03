// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/copy/copy_words.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/merge_received_runs.hpp>
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/algorithm/sort/split_on_nodes.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/nodes.hpp>

//! Sample sort on a cluster, for mmm::sort, mmm::merge_sort, mmm::radix_sort and their forms for
//! pairs:
//!   1. Each node sorts its words by the algorithm that is called.
//!   2. The nodes search the places at which exact splitters cut their words (split_on_nodes.hpp).
//!   3. An exchange of runs: each node sends the words between two cuts to the node that has this
//!      part of the sorted whole. A node receives as many words as it had, for all data.
//!   4. Each node merges the k sorted runs that it received (merge_received_runs.hpp), or sorts
//!      them by the same algorithm, whichever takes less time for all data; it sorts fewer than k
//!      words. The runs are in the order of the nodes' ranks, so that stable algorithms remain
//!      stable.
//! Node r then has the words of its own part of the sorted whole.
//!
//! The words that are sent depend on the data: none if the whole is sorted, all if no word is on
//! its node. mmm::simulate computes the cost for given data. mmm::cost_of is never more than that
//! with mmm::scatter::contiguous, and never less with mmm::scatter::conflicting, the default of
//! mmm::sort and mmm::sort_pairs on a cluster.
//! Source: Shi and Schaeffer, Parallel Sorting by Regular Sampling, JPDC 14(4), 1992, with exact
//! splitters in place of their samples.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The order of a radix sort, which is that of its keys' bits.
template <class Order>
struct order_of_bits {
  template <class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool operator()(Key const& x, Key const& y) const {
    if constexpr (is_same_v<Order, descending>)
      return ordered_bits(y) < ordered_bits(x);
    else
      return ordered_bits(x) < ordered_bits(y);
  }
};

//! The pieces of an exchange of runs. `sent(r, s)` is the number of node r's words for the nodes up
//! to s, `received(s, r)` that of the words that node s receives from the nodes up to r.
template <class Counts, class Parts>
struct run_pieces {
  Counts sent;
  Counts received;
  Parts parts;
  index nodes;
  bool all_move;  //!< in an estimate: all words go to other nodes; otherwise none does

  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    index const source = before(sent, r, s), target = before(received, s, r);
    // under MPI the first is 0 except on the sender, the second except on the receiver
    index const words = larger(sent(r, s) - source, received(s, r) - target);
    return {source, target, words};
  }
  [[nodiscard]] constexpr node_relation relation(index r) const
  requires requires { Counts::unknown; }
  {
    index const words = all_move && parts.total() > parts.words(r) ? parts.words(r) : 0;
    return {words, smaller(words, nodes - 1)};
  }

 private:
  [[nodiscard]] static constexpr index before(Counts const& counts, index r, index s) {
    return s == 0 ? 0 : counts(r, s - 1);
  }
};

//! The program that merges the runs that a node received.
template <class M, index Bytes, class Order, class Scatter>
struct merges_runs {
  using level = run_merge_level<keys_of_merge<M>, Order, Scatter>;
};
template <hierarchical_machine M, index Bytes, class Order, class Scatter>
struct merges_runs<M, Bytes, Order, Scatter> {
  using level = run_merge_tiles<Bytes, Order, Scatter>;
};

//! The most words of a node.
template <class Distribution>
[[nodiscard]] constexpr index max_words_of(Distribution const& parts, index nodes) {
  if constexpr (is_same_v<Distribution, block_distribution>) return parts.words(0);
  index words = 0;
  for (index r = 0; r < nodes; ++r) words = larger(words, parts.words(r));
  return words;
}

//! The problem of sorting n keys on a cluster, each with a value if the algorithm sorts pairs.
//! `Algorithm` sorts the words of a node.
template <class Algorithm>
struct sort_on_nodes {
  using node_problem = typename Algorithm::problem;
  static constexpr index sequences = node_problem::sequences;
  static constexpr bool by_digits = requires { node_problem(size(1), key_bits(8)); };
  static constexpr bool by_data = requires { node_problem(size(1), scatter::unknown); };

  natural n;
  index bits = 32;
  scatter places;
  constexpr explicit sort_on_nodes(size words,
                                   scatter s = by_data ? scatter::unknown : scatter::conflicting)
      : n(words.count), places(s) {}
  constexpr sort_on_nodes(size words, key_bits width, scatter s = scatter::unknown)
  requires by_digits
      : n(words.count), bits(width.count), places(s) {}

  template <class On, class Order = ascending, class Keys = no_data, class Values = no_data>
  constexpr void run(On& on, Order order = {}, Keys keys = {}, Values values = {}) const {
    if constexpr (!is_same_v<Keys, no_data>) {
      start<scatter_of_data>(on, order, keys, values);
    } else {
      if (places == scatter::unknown)
        throw_invalid_argument(failure_text(
            "mmm: the cost of a sort on a cluster depends on its keys: write "
            "mmm::scatter::contiguous or mmm::scatter::conflicting after the threads, or "
            "mmm::simulate it on data"));
      places == scatter::contiguous ? start<scatter_contiguous>(on, order, keys, values)
                                    : start<scatter_conflicting>(on, order, keys, values);
    }
  }

  //! The bounds of the node's problem for the larger parts, n/k words rounded up; and that of the
  //! network, `g n/k + L`: for some data, all words of a node belong to other nodes. With
  //! mmm::scatter::contiguous the network has no bound: sorted data do not move.
  template <cluster_machine M>
  [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& m) const {
    natural const part = n / m.k;
    bound b = of_node(part).lower_bound(m.node);
    natural const moved = smaller(part, n - part) * sequences;
    if (m.k > 1 && moved > 0 && places != scatter::contiguous) {
      b.network_bandwidth = m.exchange(moved);
      b.network_latency = m.machine.network_latency();
    }
    return b;
  }
  //! Twice the bound of the node's problem for n/k words, as if received words were sorted again,
  //! the exchanges, and the search. Each round of the search takes `(f - 1) k^2 (5 + log(n/k))`
  //! accesses of words, one by one as where the words of a warp are in one bank, and `(f - 1) k`
  //! for k^2 in the first round. The number of rounds and f are those of split_search_of.
  template <cluster_machine M>
  [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& m) const {
    natural const part = n / m.k;
    natural const of_part = of_node(part).upper_bound(m.node);
    if (m.k == 1 || n <= 1) return of_part;
    natural const others = m.k - 1;
    split_search const chosen = split_search_of(m.machine, part);
    natural of_search = 0;
    for (index round = 0; round < chosen.rounds; ++round) {
      natural const pivots = chosen.pivots(round, m.k);
      natural const accesses = 8 + log2(part) + 3 * others + log2(natural(chosen.fan));
      natural const words = pivots * others * (log2(part) + 5) + others * log2(natural(chosen.fan));
      of_search = of_search + words + words * m.node.L / m.node.p + accesses * m.node.L;
    }
    natural const runs =
        prefix_sums_algorithm<false>::problem(size(m.k)).upper_bound(m.node) + 2 * of_part;
    natural const words = exchange_time(m.machine, part, others);
    natural const one_each = exchange_time(m.machine, others, others);
    return runs + of_search + traffic_of(m.machine, chosen).time + 2 * one_each + words * sequences;
  }

 private:
  //! The problem of one node's words.
  [[nodiscard]] constexpr node_problem of_node(index words) const {
    if constexpr (by_digits)
      return node_problem(size(words), key_bits(bits), places);
    else if constexpr (by_data)
      return node_problem(size(words), places);
    else
      return node_problem(size(words));
  }
  //! The order in which words of two nodes are compared.
  template <class Order>
  [[nodiscard]] static constexpr auto order_on_nodes([[maybe_unused]] Order const& order) {
    if constexpr (by_digits)
      return order_of_bits<Order>{};
    else
      return order;
  }

  //! Sorts the words of one node.
  template <class On, class Order, class Keys, class Values>
  constexpr void sort_words(On& on, Order const& order, index words, Keys keys,
                            [[maybe_unused]] Values values) const {
    if constexpr (sequences == 2)
      of_node(words).run(on, order, keys, values);
    else
      of_node(words).run(on, order, keys);
  }
  template <class Word, class On, class In, class Out>
  static constexpr void copy_words(On& on, index words, In in, Out out) {
    perform(on, copy_words_program{}, reads<Word>(in, words), writes<Word>(out, words), words);
  }
  //! Sorts the words that a node received, and writes them to `keys`.
  template <class Key, class Value, class On, class Order, class Given, class OfGiven, class Keys,
            class Values>
  constexpr void sort_received(On& on, Order const& order, index words, Given given,
                               [[maybe_unused]] OfGiven of_given, Keys keys,
                               [[maybe_unused]] Values values) const {
    sort_words(on, order, words, given, of_given);
    copy_words<Key>(on, words, given, keys);
    if constexpr (sequences == 2) copy_words<Value>(on, words, of_given, values);
  }
  //! Merges the k sorted runs that a node received. `ends` has the places where they end.
  template <class Scatter, class Key, class Value, class On, class Order, class Ends, class Given,
            class OfGiven, class Keys, class Values>
  static constexpr void merge_received(On& on, Order const& order, index words, index k, Ends ends,
                                       Given given, [[maybe_unused]] OfGiven of_given, Keys keys,
                                       [[maybe_unused]] Values values) {
    using level = typename merges_runs<typename On::machine_type, bytes_of_words<Key, Value>, Order,
                                       Scatter>::level;
    merge_runs_program<level, Scatter> const program{{order}};
    if constexpr (sequences == 2)
      perform(on, program, words, k, reads<index>(ends, k), reads<Key>(given, words),
              writes<Key>(keys, words), reads<Value>(of_given, words),
              writes<Value>(values, words));
    else
      perform(on, program, words, k, reads<index>(ends, k), reads<Key>(given, words),
              writes<Key>(keys, words));
  }
  template <class Key, class Value>
  static constexpr index bytes_of_words = sizeof(Key) + (sequences == 2 ? sizeof(Value) : 0);

  //! True if merging k runs of so many words takes less time than sorting them, for the data with
  //! which each of the two takes most. A node with fewer words than runs sorts them, since merging
  //! takes more levels then. On an HMM a tile's words have to fit the shared memory, and blocks are
  //! those that merge_sort takes. Time: two estimates.
  template <class Key, class Value, class On>
  [[nodiscard]] constexpr bool merging_pays(On const& on, index words, index k) const {
    // accesses in vectors of a radix sort have no cost where the type does not know the width
    if constexpr (!by_digits || !hierarchical_machine<typename On::machine_type> ||
                  fixed_width<typename On::machine_type>)
      return words >= k && merging_fits<Key, Value>(on) &&
             received_time(on,
                           [=](auto& local) {
                             merge_received<scatter_conflicting, float, float>(
                                 local, ascending{}, words, k, no_data{}, no_data{}, no_data{},
                                 no_data{}, no_data{});
                           }) <
                 received_time(
                     on,
                     [=, self = with(scatter::conflicting)](auto& local) {
                       self.template sort_received<float, float>(
                           local, ascending{}, words, no_data{}, no_data{}, no_data{}, no_data{});
                     });
    else
      return false;
  }
  //! True if a DMM's threads and shared memory can merge a tile.
  template <class Key, class Value, class On>
  [[nodiscard]] static constexpr bool merging_fits(On const& on) {
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      index const t = on.threads_per_dmm(), each = keys_of_tile_merge;
      if constexpr (launches<On>)
        if (t > tile_merge_program<bytes_of_words<Key, Value>, ascending>::max_block_threads)
          return false;
      return t % on.machine().width() == 0 &&
             (each * t + each + 1) * sequences <= on.machine().capacity();
    } else {
      return true;
    }
  }
  //! The time of a program on a node's machine.
  template <class On, class Program>
  [[nodiscard]] static constexpr index received_time(On const& on, Program const& program) {
    return estimate(on.machine(), threads(on.threads()), program).time;
  }
  [[nodiscard]] constexpr sort_on_nodes with(scatter assumed) const {
    sort_on_nodes other = *this;
    other.places = assumed;
    return other;
  }
  //! The values as an array; without values nothing.
  template <class On, class Values, class Parts>
  [[nodiscard]] static constexpr auto bring_values(On& on, [[maybe_unused]] Values values,
                                                   [[maybe_unused]] Parts const& parts) {
    if constexpr (sequences == 2)
      return on.bring(values, parts);
    else
      return without_values{};
  }
  struct without_values {
    [[nodiscard]] static constexpr no_data part(index) { return {}; }
  };

  template <class Scatter, class On, class Order, class Keys, class Values>
  constexpr void start(On& on, Order const& order, Keys first, Values of_first) const {
    using key = iterator_value_t<Keys>;
    using value = iterator_value_t<Values>;
    compare_type<Order>(on, "order");
    auto const parts = on.distribution_of(n);
    if (parts.total() <= 1) return;
    auto const keys = on.bring(first, parts);
    auto const values = bring_values(on, of_first, parts);
    auto const self = *this;
    on.each_node([=](auto& local, index r) {
      self.sort_words(local, order, parts.words(r), keys.part(r), values.part(r));
    });
    if (on.nodes() > 1) {
      index const k = on.nodes();
      auto const ends = on.template allocate<index>(words_on_each(k, k));
      auto const pieces = split<Scatter, key>(on, order_on_nodes(order), parts, keys, ends);
      auto const runs = on.template allocate<key>(parts);
      on.exchange(keys, runs, pieces);
      auto const of_runs = [&] {
        if constexpr (sequences == 2) {
          auto const received = on.template allocate<value>(parts);
          on.exchange(values, received, pieces);
          return received;
        } else {
          return without_values{};
        }
      }();
      on.each_node([=](auto& local, index r) {
        index const words = parts.words(r);
        if (self.template merging_pays<key, value>(local, words, k))
          merge_received<Scatter, key, value>(local, order_on_nodes(order), words, k, ends.part(r),
                                              runs.part(r), of_runs.part(r), keys.part(r),
                                              values.part(r));
        else
          self.template sort_received<key, value>(local, order, words, runs.part(r),
                                                  of_runs.part(r), keys.part(r), values.part(r));
      });
    }
    on.deliver(keys, first, parts);
    if constexpr (sequences == 2) on.deliver(values, of_first, parts);
  }

  //! An array of so many words on each of k nodes.
  [[nodiscard]] static constexpr block_distribution words_on_each(index k, index words) {
    return block_distribution(checked_multiply(words, k), k);
  }

  //! Cuts the sorted words of all nodes, and returns the pieces of the exchange. Word s of
  //! `received` becomes the number of words that a node receives from the nodes up to s.
  template <class Scatter, class Key, class On, class Order, class Parts, class Array, class Ends>
  constexpr auto split(On& on, Order const& order, Parts const& parts, Array const& keys,
                       Ends const& received) const {
    index const k = on.nodes();
    index const total = parts.total();
    auto const on_each = [k](index words) { return words_on_each(k, words); };
    auto const own_first = on.template allocate<index>(on_each(1));
    auto const borders = on.template allocate<index>(on_each(k));
    auto const cuts = on.template allocate<index>(on_each(k));
    on.each_node([=](auto& local, index r) {
      perform(local, store_number_program{parts.place(r, 0)},
              writes<index>(own_first.part(r), index{1}));
    });
    on.exchange(own_first, borders, word_for_each{k, true});
    split_search const chosen = split_search_of(on.machine(), max_words_of(parts, k));
    for (index round = 0; round < chosen.rounds; ++round) {
      index const pivots = chosen.pivots(round, k);
      index const of_others = checked_multiply(pivots, k - 1);
      auto const own_pivots = on.template allocate<Key>(on_each(pivots));
      auto const pivots_of_others = on.template allocate<Key>(on_each(of_others));
      auto const counts = on.template allocate<index>(on_each(of_others));
      auto const answers = on.template allocate<index>(on_each(of_others));
      auto const ranks = on.template allocate<index>(on_each(pivots));
      auto const round_of = [=](index r) {
        return split_round<Order, Scatter>{chosen, round, k, parts.words(r), order};
      };
      on.each_node([=](auto& local, index r) {
        perform(local, copy_pivots_program<split_round<Order, Scatter>>{round_of(r)},
                reads<Key>(keys.part(r), parts.words(r)), reads<index>(cuts.part(r), k),
                writes<Key>(own_pivots.part(r), pivots));
      });
      on.exchange(own_pivots, pivots_of_others, pieces_to_others{k, pivots, true});
      on.each_node([=](auto& local, index r) {
        perform(local, count_before_program<split_round<Order, Scatter>>{round_of(r), r},
                reads<Key>(keys.part(r), parts.words(r)),
                reads<Key>(pivots_of_others.part(r), of_others),
                writes<index>(counts.part(r), of_others));
      });
      on.exchange(counts, answers, pieces_to_others{k, pivots, false});
      on.each_node([=](auto& local, index r) {
        perform(local, move_cuts_program<split_round<Order, Scatter>>{round_of(r), total},
                reads<index>(answers.part(r), of_others), writes<index>(ranks.part(r), pivots),
                reads<index>(borders.part(r), k), updates<index>(cuts.part(r), k));
      });
    }
    auto const sent = on.template allocate<index>(on_each(k));
    on.each_node([=](auto& local, index r) {
      perform(local, count_runs_program{k, parts.words(r)}, updates<index>(cuts.part(r), k),
              writes<index>(sent.part(r), k));
    });
    on.exchange(sent, received, word_for_each{k, false});
    on.each_node([=](auto& local, index r) {
      perform(local, scan_program<plus, false>{}, updates<index>(received.part(r), k), k);
    });
    auto const ends = on.inspect(cuts);
    return run_pieces<remove_const_t<decltype(ends)>, Parts>{
        ends, on.inspect(received), parts, k, !is_same_v<Scatter, scatter_contiguous>};
  }
};

template <>
struct cluster_program<sort_algorithm> {
  using problem = sort_on_nodes<sort_algorithm>;
};
template <>
struct cluster_program<sort_pairs_algorithm> {
  using problem = sort_on_nodes<sort_pairs_algorithm>;
};
template <>
struct cluster_program<merge_sort_algorithm> {
  using problem = sort_on_nodes<merge_sort_algorithm>;
};
template <>
struct cluster_program<merge_sort_pairs_algorithm> {
  using problem = sort_on_nodes<merge_sort_pairs_algorithm>;
};
template <>
struct cluster_program<radix_sort_algorithm> {
  using problem = sort_on_nodes<radix_sort_algorithm>;
};
template <>
struct cluster_program<radix_sort_pairs_algorithm> {
  using problem = sort_on_nodes<radix_sort_pairs_algorithm>;
};

}  // namespace mmm::detail
MMM_BODIES_END
