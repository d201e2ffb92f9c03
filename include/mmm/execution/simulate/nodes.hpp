// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/execution/simulate/node_memory.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/machine/cluster.hpp>

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

//! Simulation of programs on clusters: their data, exact cost, and races between nodes.
namespace mmm {

//! The result of a simulation on a cluster.
template <class Result>
struct cluster_simulation {
  Result result{};           //!< the program's return value
  mmm::cluster_cost cost{};  //!< synchronous
  //! of each superstep: the nodes' work and the exchange that follows or happens meanwhile; after
  //! the last exchange a superstep has work only. Their sum is `cost`.
  std::vector<mmm::cluster_cost> supersteps{};
  index pipelined_time = 0;  //!< with each node's pipelined time in place of its synchronous one
  index stages = 0;          //!< of all nodes
  std::vector<node_traffic> sent{};  //!< of each node, the sums over the program
  //! races between messages and the nodes' work, 1000 at most
  std::vector<node_race> node_races{};
  index node_race_count = 0;
  index race_count = 0;  //!< races inside nodes, of all nodes
};

namespace detail {

//! The words of an array, for plans.
template <class T>
struct inspected_words {
  node_array<T> array;
  [[nodiscard]] T operator()(index r, index i) const {
    return array[r].words[static_cast<std::size_t>(i)];
  }
};

//! The state of a simulation on a cluster.
template <cluster_machine M>
struct simulated_cluster_of_nodes {
  superstep_log<M> log;
  std::vector<cluster_cost> supersteps{};
  threads of_node;
  node_memory memory;
  index pipelined_time = 0;
  index stages = 0;
  index races = 0;
  std::vector<node_traffic> sent;

  simulated_cluster_of_nodes(M const& m, threads p)
      : log(m), of_node(threads_of_node(m, p)), sent(static_cast<std::size_t>(m.nodes())) {}
};

//! The handle of a simulation. `Observe` is that of the nodes' simulations.
template <cluster_machine M, class Observe>
class simulated_nodes : public cluster_vocabulary_of_nodes<simulated_nodes<M, Observe>, M> {
  using base = cluster_vocabulary_of_nodes<simulated_nodes<M, Observe>, M>;

 public:
  explicit simulated_nodes(simulated_cluster_of_nodes<M>& engine) : engine_(&engine) {}
  [[nodiscard]] M const& machine() const { return engine_->log.machine(); }

  void run_blocks(block_distribution const&, node_groups const&, index) const {}
  template <class T, class Distribution>
  [[nodiscard]] auto make_array(Distribution const& distribution) const {
    return node_array<T>(engine_->memory, this->nodes(), distribution);
  }
  [[nodiscard]] block_distribution run_distribution_of(index n) const { return this->blocks(n); }
  template <class In, class Distribution>
  [[nodiscard]] auto run_bring(In first, Distribution const& d) const {
    auto const a = make_array<iterator_value_t<In>>(d);
    for (index r = 0; r < this->nodes(); ++r)
      for (index i = 0; i < d.words(r); ++i)
        a[r].words[static_cast<std::size_t>(i)] = *(first + d.place(r, i));
    return a;
  }
  template <class T, class Out, class Distribution>
  [[nodiscard]] auto run_results(Out const&, Distribution const& d) const {
    return make_array<T>(d);
  }
  template <class T, class Out, class Distribution>
  void run_deliver(node_array<T> const& a, Out out, Distribution const& d) const {
    for (index r = 0; r < this->nodes(); ++r)
      for (index i = 0; i < d.words(r); ++i)
        *(out + d.place(r, i)) =
            static_cast<iterator_value_t<Out>>(a[r].words[static_cast<std::size_t>(i)]);
  }
  template <class Body>
  auto run_nodes(Body const& body) const {
    using on = decltype(std::declval<simulated_machine<node_type, Observe>&>().handle());
    using result = decltype(body(std::declval<on&>(), index{}));
    if constexpr (std::is_void_v<result>) {
      add(work_of(body), {});
    } else {
      node_value<std::remove_cvref_t<result>> found;
      add(work_of([&](auto& local, index r) { found.values.push_back(body(local, r)); }), {});
      return found;
    }
  }
  template <class Body, class... Transfers>
  void run_exchange(Body const& body, Transfers const&... transfers) const {
    node_relation largest;
    for (index r = 0; r < this->nodes(); ++r)
      largest.include(relation_of(r, this->nodes(), transfers.plan...));
    std::tuple messages{messages_of(transfers)...};
    node_work work;
    if constexpr (!std::is_same_v<Body, typename base::nothing_meanwhile>) work = work_of(body);
    std::apply([](auto&... sent) { (sent.deliver(), ...); }, messages);
    add(work, exchange_traffic(machine(), largest.words, largest.messages));
  }
  template <class T>
  [[nodiscard]] inspected_words<T> run_inspect(node_array<T> const& a) const {
    return {a};
  }
  template <class T, class Operator>
  T run_all_reduce(node_value<T> const& x, Operator const& op) const {
    T fold = x.values.front();
    for (std::size_t r = 1; r < x.values.size(); ++r) fold = static_cast<T>(op(fold, x.values[r]));
    add_collective(tree_traffic(machine(), this->nodes(), 1));
    return fold;
  }
  template <class T, class Operator>
  node_value<T> run_exclusive_scan(node_value<T> const& x, Operator const& op,
                                   T const& initial) const {
    node_value<T> before;
    T fold = initial;
    for (T const& own : x.values) {
      before.values.push_back(fold);
      fold = static_cast<T>(op(fold, own));
    }
    add_collective(tree_traffic(machine(), this->nodes(), 1));
    return before;
  }
  template <class T>
  node_value<T> run_all_gather(node_value<T> const& x) const {
    add_collective(exchange_traffic(machine(), this->nodes() - 1, this->nodes() - 1));
    return x;
  }
  template <class Source, class Target>
  void run_broadcast(node_groups const& groups, index root, Source const& source,
                     Target const& target) const {
    engine_->memory.reject_same(source, target);
    index max_words = 0;
    for (index r = 0; r < this->nodes(); ++r) {
      index const sender = groups.rank(r, root);
      max_words = larger(max_words, source.words(sender));
      engine_->memory.copy(source, sender, target, r);
    }
    add_collective(collective_traffic(machine(), groups.size, max_words));
  }
  template <class Source, class Target, class Operator>
  void run_reduce(node_groups const& groups, index root, Source const& source, Target const& target,
                  Operator const& op) const {
    engine_->memory.reject_same(source, target);
    index max_words = 0;
    for (index r = 0; r < this->nodes(); ++r)
      reject_unequal(source.words(r), source.words(groups.rank(r, root)));
    for (index r = 0; r < this->nodes(); ++r) {
      if (groups.member(r) != root) continue;
      max_words = larger(max_words, source.words(r));
      engine_->memory.copy(source, groups.rank(r, 0), target, r);
      for (index m = 1; m < groups.size; ++m)
        engine_->memory.combine(source, groups.rank(r, m), target, r, op);
    }
    add_collective(collective_traffic(machine(), groups.size, max_words));
  }
  template <class Body>
  void run_loop(block_distribution const& blocks, Body const& body) const {
    for (index b = 0; b < blocks.blocks; ++b) body(b);
  }

 private:
  using node_type = decltype(std::declval<M const&>().node());

  //! The messages of a transfer, which are sent.
  template <class Transfer>
  [[nodiscard]] auto messages_of(Transfer const& x) const {
    auto messages = engine_->memory.messages(x.source, x.target);
    for (index r = 0; r < this->nodes(); ++r) {
      rank_range const receivers = receivers_of(x.plan, r, this->nodes());
      for (index s = receivers.first; s < receivers.last; s += receivers.stride) {
        piece const p = x.plan(r, s);
        if (p.total() == 0) continue;
        messages.send(r, s, p);
        if (r != s) count(r, p.total());
      }
    }
    return messages;
  }

  struct node_work {
    mmm::cost slowest{};
    index pipelined = 0;
  };
  //! Simulates the body on each node.
  template <class Body>
  [[nodiscard]] node_work work_of(Body const& body) const {
    node_work work;
    for (index r = 0; r < this->nodes(); ++r) {
      typename node_memory::at_node const here(engine_->memory, r);
      auto const run = simulate(
          machine().node(), engine_->of_node, [&](auto on) { static_cast<void>(body(on, r)); },
          Observe{});
      work.slowest = slower(work.slowest, run.cost);
      work.pipelined = larger(work.pipelined, run.pipelined_time);
      engine_->stages = checked_add(engine_->stages, run.cost.stages);
      engine_->races += run.race_count;
    }
    return work;
  }
  void add(node_work const& work, network_traffic const& traffic) const {
    engine_->memory.next_superstep();
    engine_->log.add(work.slowest, traffic);
    if (engine_->supersteps.empty() || engine_->supersteps.back().network.supersteps > 0)
      engine_->supersteps.emplace_back();
    cluster_cost& last = engine_->supersteps.back();
    last.work = last.work + work.slowest;
    last.network = last.network + traffic;
    last.time = checked_add(last.time, larger(work.slowest.time, traffic.time));
    engine_->pipelined_time =
        checked_add(engine_->pipelined_time, larger(work.pipelined, traffic.time));
  }
  void add_collective(network_traffic const& traffic) const {
    add({}, traffic);
    for (node_traffic& sent : engine_->sent) ++sent.collectives;
  }
  void count(index sender, index words) const {
    node_traffic& sent = engine_->sent[static_cast<std::size_t>(sender)];
    ++sent.messages;
    sent.words += words;
  }

  simulated_cluster_of_nodes<M>* engine_;
};

}  // namespace detail

//! Simulates `program(on)` on a cluster; `on` is the handle of its nodes (execution/nodes.hpp). The
//! nodes' work is simulated node by node.
//!
//! \param p threads over all nodes.
//! \param observe that of the nodes' simulations: mmm::observe_races (default) or
//! mmm::observe_cost.
//! Errors: those of the nodes' simulations; std::invalid_argument if the nodes cannot share the
//! threads evenly, std::logic_error if a node's body accesses another node's memory,
//! std::out_of_range for a word or a piece outside its array.
template <cluster_machine M, class Program, class Observe = observe_races_t>
auto simulate(M const& m, threads p, Program&& program, Observe = {}) {
  detail::simulated_cluster_of_nodes<M> engine(m, p);
  detail::simulated_nodes<M, Observe> on(engine);
  using returned = decltype(program(on));
  using result_type =
      std::conditional_t<std::is_void_v<returned>, nothing, std::remove_cvref_t<returned>>;
  cluster_simulation<result_type> run;
  if constexpr (std::is_void_v<returned>)
    program(on);
  else
    run.result = program(on);
  run.cost = engine.log.total();
  run.supersteps = std::move(engine.supersteps);
  run.pipelined_time = engine.pipelined_time;
  run.stages = engine.stages;
  run.sent = std::move(engine.sent);
  run.node_races = std::move(engine.memory.races());
  run.node_race_count = engine.memory.race_count();
  run.race_count = engine.races;
  return run;
}
template <cluster_machine M, class Program, class Observe = observe_races_t>
auto simulate(threads p, Program&& program, Observe observe = {}) {
  return simulate(detail::machine_of<M>(), p, std::forward<Program>(program), observe);
}

}  // namespace mmm
