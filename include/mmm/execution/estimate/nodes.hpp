// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/machine/cluster.hpp>

//! Estimates of programs on clusters.
namespace mmm {

//! The ranks that an estimate examines: those where the sizes of blocks change, or each one, for
//! comparison. The results are equal.
enum class examined_ranks { where_sizes_change, all };

namespace detail {

//! A value of each node, or of all, in an estimate.
template <class T>
struct no_node_value {
  using value_type = T;
  [[nodiscard]] constexpr T operator[](index) const { return {}; }
};

//! An array over the nodes in an estimate.
template <class T, class Distribution>
struct no_node_array {
  using value_type = T;
  Distribution distribution;
  [[nodiscard]] constexpr index words(index r) const { return distribution.words(r); }
  [[nodiscard]] static constexpr no_data part(index) { return {}; }
};

//! The words of an array, which an estimate does not know.
struct no_inspected_words {
  static constexpr bool unknown = true;
  [[nodiscard]] constexpr index operator()(index, index) const { return 0; }
};

//! The places of a group's members near those where the sizes of blocks change: ranges in
//! increasing order, with places between them.
struct group_places {
  static constexpr int capacity = 48;
  struct range {
    index first;
    index last;  //!< after the last one
  };
  node_groups groups;
  range ranges[capacity] = {};
  int count = 0;
  bool every = false;  //!< more than the capacity

  //! Adds the places first to last - 1 that exist.
  constexpr void add(index first, index last) {
    range added{larger(first, 0), smaller(last, groups.size)};
    if (added.first >= added.last || every) return;
    int begin = 0;
    while (begin < count && ranges[begin].last < added.first) ++begin;
    int end = begin;  // those from begin to end - 1 become one range with the new one
    for (; end < count && ranges[end].first <= added.last; ++end)
      added = {smaller(added.first, ranges[end].first), larger(added.last, ranges[end].last)};
    if (begin == end && count == capacity) {
      every = true;
      return;
    }
    if (begin == end)
      for (int i = count; i > begin; --i) ranges[i] = ranges[i - 1];
    for (int i = end; begin < end && i < count; ++i) ranges[i - (end - begin - 1)] = ranges[i];
    count -= end - begin - 1;
    ranges[begin] = added;
  }
  template <class F>
  constexpr void for_each(F const& f) const {
    if (every)
      for (index place = 0; place < groups.size; ++place) f(place);
    for (int i = 0; !every && i < count; ++i)
      for (index place = ranges[i].first; place < ranges[i].last; ++place) f(place);
  }
};

//! The ranks to examine. Groupings whose places combine freely, as the rows and the columns of a
//! grid of nodes do, make a family: its ranks are all combinations of their places. Groupings that
//! overlap, as all nodes and the rows of a grid do, are in several families, whose ranks are
//! examined one family after the other.
class rank_places {
 public:
  constexpr void add(block_distribution const& b, node_groups const& groups, index reach) {
    if (reach < 0) reject("the reach of a distribution's blocks", reach, "0 or more");
    if (groups.size <= 1) return;
    group_places& places = places_of(groups);
    // A node whose neighbours up to the reach are of one size is like the one beside it: within the
    // reach of an edge all kinds of nodes are found.
    for (index const edge : {index{0}, b.larger_blocks(), b.blocks})
      places.add(edge - reach, reach < groups.size ? edge + reach + 1 : groups.size);
  }
  //! Calls `f(r)` for each rank to examine, of `nodes`; for some of them twice.
  template <class F>
  constexpr void for_each(index nodes, bool all, F const& f) const {
    if (all) {
      for (index r = 0; r < nodes; ++r) f(r);
      return;
    }
    if (count_ == 0) f(index{0});
    for (int family = 0; family < families_; ++family) visit(family, 0, 0, f);
  }

 private:
  static constexpr int capacity = 8;

  [[nodiscard]] static constexpr bool nested(node_groups const& inner, node_groups const& outer) {
    return outer.stride % checked_multiply(inner.stride, inner.size) == 0;
  }
  [[nodiscard]] constexpr bool combines(node_groups const& groups, int family) const {
    for (int g = 0; g < count_; ++g)
      if (family_[g] == family && !nested(groups_[g].groups, groups) &&
          !nested(groups, groups_[g].groups))
        return false;
    return true;
  }
  [[nodiscard]] constexpr group_places& places_of(node_groups const& groups) {
    for (int g = 0; g < count_; ++g)
      if (groups_[g].groups == groups) return groups_[g];
    if (count_ == capacity)
      throw_logic_error(
          failure_text("mmm: a program groups its nodes in ", index{capacity}, " ways at most"));
    int family = 0;
    while (family < families_ && !combines(groups, family)) ++family;
    if (family == families_) ++families_;
    family_[count_] = family;
    groups_[count_].groups = groups;
    return groups_[count_++];
  }
  template <class F>
  constexpr void visit(int family, int g, index rank, F const& f) const {
    while (g < count_ && family_[g] != family) ++g;
    if (g == count_) {
      f(rank);
      return;
    }
    groups_[g].for_each(
        [&](index place) { visit(family, g + 1, rank + place * groups_[g].groups.stride, f); });
  }

  group_places groups_[capacity] = {};
  int family_[capacity] = {};
  int count_ = 0;
  int families_ = 0;
};

//! The keys of the nodes examined so far (keyed_body).
template <class Key>
class distinct_keys {
 public:
  //! False if the key is among the first 16 different ones.
  constexpr bool add(Key const& x) {
    for (int i = 0; i < count_; ++i)
      if (keys_[i] == x) return false;
    if (count_ < capacity) keys_[count_++] = x;
    return true;
  }

 private:
  static constexpr int capacity = 16;
  Key keys_[capacity] = {};
  int count_ = 0;
};
template <class Body>
[[nodiscard]] constexpr auto keys_of(Body const& body) {
  if constexpr (requires { body.key(index{}); })
    return distinct_keys<remove_cvref_t<decltype(body.key(index{}))>>{};
  else
    return 0;
}

//! The state of an estimate on a cluster.
template <cluster_machine M>
struct cluster_estimator {
  superstep_log<M> log;
  threads of_node;
  rank_places places{};
  bool all_ranks = false;

  constexpr cluster_estimator(M const& m, threads p, examined_ranks examined)
      : log(m), of_node(threads_of_node(m, p)), all_ranks(examined == examined_ranks::all) {
    // The first and the last nodes differ from the others in their neighbours.
    places.add(block_distribution(0, m.nodes()), {m.nodes(), 1}, 1);
  }

  template <class Body>
  [[nodiscard]] constexpr cost slowest(Body const& body) const {
    cost work{};
    [[maybe_unused]] auto examined = keys_of(body);
    places.for_each(log.machine().nodes(), all_ranks, [&](index r) {
      if constexpr (requires { body.key(r); })
        if (!all_ranks && !examined.add(body.key(r))) return;
      work = slower(work, estimate(log.machine().node(), of_node,
                                   [&](auto& on) { static_cast<void>(body(on, r)); }));
    });
    return work;
  }
};

//! The handle of an estimate.
template <cluster_machine M>
class symbolic_nodes : public cluster_vocabulary_of_nodes<symbolic_nodes<M>, M> {
  using base = cluster_vocabulary_of_nodes<symbolic_nodes<M>, M>;

 public:
  constexpr explicit symbolic_nodes(cluster_estimator<M>& engine) : engine_(&engine) {}
  [[nodiscard]] constexpr M const& machine() const { return engine_->log.machine(); }

  constexpr void run_blocks(block_distribution const& b, node_groups const& groups,
                            index reach) const {
    engine_->places.add(b, groups, reach);
  }
  template <class T, class Distribution>
  [[nodiscard]] constexpr auto make_array(Distribution const& distribution) const {
    return no_node_array<T, Distribution>{distribution};
  }
  [[nodiscard]] constexpr block_distribution run_distribution_of(index n) const {
    return this->blocks(n);
  }
  template <class In, class Distribution>
  [[nodiscard]] constexpr auto run_bring(In const&, Distribution const& d) const {
    return make_array<typename In::value_type>(d);
  }
  template <class T, class Out, class Distribution>
  [[nodiscard]] constexpr auto run_results(Out const&, Distribution const& d) const {
    return make_array<T>(d);
  }
  template <class Array, class Out, class Distribution>
  constexpr void run_deliver(Array const&, Out const&, Distribution const&) const {}
  template <class Body>
  constexpr auto run_nodes(Body const& body) const {
    engine_->log.add(engine_->slowest(body), {});
    using on = symbolic_handle<decltype(machine().node()),
                               hierarchical_machine<decltype(machine().node())>>;
    using result = decltype(body(declval<on&>(), index{}));
    if constexpr (!is_same_v<result, void>) return no_node_value<remove_cvref_t<result>>{};
  }
  template <class Body, class... Transfers>
  constexpr void run_exchange(Body const& body, Transfers const&... transfers) const {
    node_relation largest;
    engine_->places.for_each(this->nodes(), engine_->all_ranks, [&](index r) {
      largest.include(relation_of(r, this->nodes(), transfers.plan...));
    });
    cost work{};
    if constexpr (!is_same_v<Body, typename base::nothing_meanwhile>) work = engine_->slowest(body);
    engine_->log.add(work, exchange_traffic(machine(), largest.words, largest.messages));
  }
  template <class Array>
  [[nodiscard]] constexpr no_inspected_words run_inspect(Array const&) const {
    return {};
  }
  template <class T, class Operator>
  constexpr T run_all_reduce(no_node_value<T> const&, Operator const&) const {
    engine_->log.add({}, tree_traffic(machine(), this->nodes(), 1));
    return {};
  }
  template <class T, class Operator>
  constexpr auto run_exclusive_scan(no_node_value<T> const& x, Operator const&, T const&) const {
    engine_->log.add({}, tree_traffic(machine(), this->nodes(), 1));
    return x;
  }
  template <class T>
  constexpr auto run_all_gather(no_node_value<T> const& x) const {
    engine_->log.add({}, exchange_traffic(machine(), this->nodes() - 1, this->nodes() - 1));
    return x;
  }
  template <class Source, class Target>
  constexpr void run_broadcast(node_groups const& groups, index root, Source const& source,
                               Target const&) const {
    engine_->log.add({},
                     collective_traffic(machine(), groups.size, words_at(groups, root, source)));
  }
  template <class Source, class Target, class Operator>
  constexpr void run_reduce(node_groups const& groups, index root, Source const& source,
                            Target const&, Operator const&) const {
    engine_->places.for_each(this->nodes(), engine_->all_ranks, [&](index r) {
      reject_unequal(source.words(r), source.words(groups.rank(r, root)));
    });
    engine_->log.add({},
                     collective_traffic(machine(), groups.size, words_at(groups, root, source)));
  }
  template <class Body>
  constexpr void run_loop(block_distribution const& blocks, Body const& body) const {
    if (engine_->all_ranks) {
      for (index b = 0; b < blocks.blocks; ++b) body(b);
      return;
    }
    index const larger = blocks.larger_blocks();
    run_trips(0, larger, body);
    run_trips(larger, blocks.blocks - larger, body);
  }

 private:
  template <class Body>
  constexpr void run_trips(index first, index count, Body const& body) const {
    if (count == 0) return;
    cluster_cost const before = engine_->log.total();
    body(first);
    engine_->log.repeat(before, count - 1);
  }
  //! The most words of an array on the roots of all groups.
  template <class Source>
  [[nodiscard]] constexpr index words_at(node_groups const& groups, index root,
                                         Source const& source) const {
    index max_words = 0;
    engine_->places.for_each(this->nodes(), engine_->all_ranks, [&](index r) {
      max_words = larger(max_words, source.words(groups.rank(r, root)));
    });
    return max_words;
  }

  cluster_estimator<M>* engine_;
};

}  // namespace detail

//! The exact synchronous cost of a program on cluster `m` with `p` threads over all nodes, without
//! running it.
//!
//! \param program called once with a handle (execution/nodes.hpp).
//! \param examined mmm::examined_ranks::all costs every node, in time proportional to their number.
//! Errors: as of the estimates of the nodes' work; std::invalid_argument if the nodes cannot share
//! the threads evenly.
template <cluster_machine M, class Program>
[[nodiscard]] constexpr cluster_cost estimate(
    M const& m, threads p, Program const& program,
    examined_ranks examined = examined_ranks::where_sizes_change) {
  detail::cluster_estimator<M> engine(m, p, examined);
  detail::symbolic_nodes<M> on(engine);
  program(on);
  return engine.log.total();
}
template <cluster_machine M, class Program>
[[nodiscard]] constexpr cluster_cost estimate(
    threads p, Program const& program,
    examined_ranks examined = examined_ranks::where_sizes_change) {
  return estimate(detail::machine_of<M>(), p, program, examined);
}

}  // namespace mmm
