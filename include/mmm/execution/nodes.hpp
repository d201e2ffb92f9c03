// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/layout/block_distribution.hpp>
#include <mmm/machine/cluster.hpp>

//! Programs on several nodes: the vocabulary that the cluster handles of all back ends share.
//!
//! A **cluster handle** stands for the nodes 0 … k - 1 of a mmm::cluster. A program is called once
//! with the handle. It has uniform control flow, as programs on one machine have: what differs
//! between nodes is a function of the node's rank.
//!
//! Laws, the same in every back end (test/execution/nodes.cpp):
//!   1. `each_node(body)` calls `body(on, r)` for each node r = 0 … k - 1 at the same time, where
//!      `on` is a handle of the node's machine, on which algorithms run. It returns the bodies'
//!      results, one value for each node (node_value). Their type is deduced: clang under nvcc
//!      instantiates the kernels of a lambda with a written result type too early.
//!   2. `allocate<T>(distribution)` is an array of `distribution.words(r)` words on node r,
//!      uninitialized. `a.part(r)` is the iterator of its first word. Only node r accesses it, in
//!      the bodies of each_node; another node that does is std::logic_error.
//!   3. `exchange(source, target, plan)` sends, for all nodes r and s, the words of `source` on
//!      node r that the piece `plan(r, s)` names to `target` on node s. The words are there after
//!      it. No two pieces write the same word. `source` and `target` are different arrays.
//!   4. `exchange(source, target, plan, body)` is `exchange(source, target, plan)` and
//!      `each_node(body)` at the same time. It is a race, which a simulation reports, if a body
//!      accesses words of `target` that arrive, or changes words of `source` that are sent.
//!      `exchange(transfer{source, target, plan}, transfer{…}, body)` is two exchanges and the body
//!      at the same time, in one superstep. No array is the source of one and the target of the
//!      other.
//!   5. `all_reduce(x, op)` is `op` over the values of all nodes, in the order of their ranks, and
//!      known everywhere. `exclusive_scan(x, op, initial)` has a value for each node: `op` over
//!      `initial` and the values of the nodes before it. `all_gather(x)` is the values of all
//!      nodes, known everywhere.
//!   6. In groups of nodes (node_groups), `broadcast(groups, root, source, target)` copies all
//!      words of `source` on the member `root` of each group to `target` on all members.
//!      `reduce(groups, root, source, target, op)` stores in `target` on the member `root` the fold
//!      of the members' words, word by word, in the order of the members, all of which have the
//!      same number of words: another one is std::invalid_argument. `source` and `target` are
//!      different arrays.
//!   7. `distribution_of(n)` is how a caller's sequence lies on the nodes: in blocks of its n words
//!      in an estimate and a simulation, which are given the whole sequence; under MPI, where each
//!      process is given its node's part, n words of it, as the parts are. `bring(first,
//!      distribution)` is the sequence as an array, which is only read, or changed and delivered to
//!      the same sequence. `results<T>(out, distribution)` is an array for results, and
//!      `deliver(array, out, distribution)` gives it to the caller. `distribution.place(r, i)` is
//!      the place of word i of node r in the whole.
//!      The distribution of a matrix (block_grid) is that of its shape on a grid of nodes, in
//!      every back end: under MPI `first` and `out` are those of the process's own block.
//!   8. `repeat(blocks, body)` is `body(0)`, …, `body(blocks.blocks - 1)`, one after the other.
//!      Trips whose blocks have equal sizes cost the same.
//!   9. `inspect(a)` is a function for plans whose pieces depend on data: `inspect(a)(r, i)` is
//!      word i of node r's part of an array of numbers, as it is at the call of `inspect`. It is
//!      0 for nodes whose memory the process does not have, and in an estimate, where the
//!      function's type has a member `unknown`. Under MPI the sender and the receiver evaluate
//!      the plan, and each needs to know the number of words alone, and the place on its own node.
//!
//! A node's work and messages depend on the sizes of its own blocks, on those of the nodes up to
//! `reach` ranks before and after it (`blocks(n, groups, reach)`), and on which of these nodes
//! exist. An estimate therefore examines one node of each kind. A program whose nodes differ in
//! other ways gives their number as the reach: all are examined.
//!
//! Time: that of the slowest node's work in each superstep, and of the exchanges
//! (mmm::exchange_time). Combining values is arithmetic and free of cost, and so are the accesses
//! of messages to the nodes' memories: the network's gap has both. A message of a node to itself is
//! free. Collectives take the least time of the algorithms below (collective_traffic); MPI chooses
//! among algorithms of its own.
namespace mmm {

//! A rectangle of words that one node sends to another: `rows` times `words` consecutive words,
//! from `source` on at the sender and from `target` on at the receiver. A row begins a pitch after
//! the one before it.
struct piece {
  index source = 0;
  index target = 0;
  index words = 0;
  index rows = 1;
  index source_pitch = 0;
  index target_pitch = 0;
  //! All words of the piece.
  [[nodiscard]] constexpr index total() const { return detail::checked_multiply(words, rows); }
  //! The number of words from the first one to the last one, with those between, at a pitch.
  [[nodiscard]] constexpr index extent(index pitch) const {
    return total() == 0 ? 0 : (rows - 1) * pitch + words;
  }
  friend constexpr bool operator==(piece const&, piece const&) = default;
};

//! An exchange that takes place at the same time as another one.
template <class Source, class Target, class Plan>
struct transfer {
  Source source;
  Target target;
  Plan plan;
};
template <class Source, class Target, class Plan>
transfer(Source, Target, Plan) -> transfer<Source, Target, Plan>;

//! The ranks first, first + stride, … below `last`.
struct rank_range {
  index first = 0;
  index last = 0;
  index stride = 1;
};

//! Nodes in groups of `size` members whose ranks are `stride` apart: in a grid of nodes in
//! row-major order the rows (`{columns, 1}`), the columns (`{rows, columns}`) and, of several
//! grids, the nodes at the same place (`{grids, rows * columns}`).
struct node_groups {
  index size = 1;
  index stride = 1;
  //! The number of a node in its group.
  [[nodiscard]] constexpr index member(index rank) const { return rank / stride % size; }
  //! The rank of member m of the group of a node.
  [[nodiscard]] constexpr index rank(index other, index m) const {
    return other + (m - member(other)) * stride;
  }
  friend constexpr bool operator==(node_groups const&, node_groups const&) = default;
};

//! The traffic of exchanges: the largest figures of a node, summed over supersteps.
struct network_traffic {
  index supersteps = 0;  //!< exchanges in which a word is sent
  index words = 0;       //!< sent or received by the node that sends or receives max_words, the h
  index messages = 0;    //!< sent or received by the node that sends or receives most
  index time = 0;        //!< time units
  [[nodiscard]] friend constexpr network_traffic operator+(network_traffic const& a,
                                                           network_traffic const& b) {
    return {detail::checked_add(a.supersteps, b.supersteps), detail::checked_add(a.words, b.words),
            detail::checked_add(a.messages, b.messages), detail::checked_add(a.time, b.time)};
  }
  [[nodiscard]] friend constexpr network_traffic operator*(index count, network_traffic const& a) {
    return {detail::checked_multiply(count, a.supersteps), detail::checked_multiply(count, a.words),
            detail::checked_multiply(count, a.messages), detail::checked_multiply(count, a.time)};
  }
  friend constexpr bool operator==(network_traffic const&, network_traffic const&) = default;
};

//! The cost of a program on a cluster.
struct cluster_cost {
  //! of the slowest node of each superstep, one superstep after the other
  cost work{};
  network_traffic network{};
  index time = 0;  //!< time units; less than `work.time + network.time` where they overlap
  friend constexpr bool operator==(cluster_cost const&, cluster_cost const&) = default;
};

namespace detail {

//! The traffic of one exchange.
template <cluster_machine M>
[[nodiscard]] constexpr network_traffic exchange_traffic(M const& m, index words, index messages) {
  if (words == 0) return {};
  return {1, words, messages, exchange_time(m, words, messages)};
}

[[nodiscard]] constexpr network_traffic quicker(network_traffic const& a,
                                                network_traffic const& b) {
  return b.time < a.time ? b : a;
}

//! True if `f^exponent >= n`, for n > 1. Does not overflow.
[[nodiscard]] constexpr bool power_reaches(index f, index exponent, index n) {
  for (index rest = n; exponent > 0; --exponent) {
    rest = ceil_divide(rest, f);
    if (rest == 1) return true;
  }
  return false;
}
//! The least f with `f^exponent >= n`, for n > 1 and exponent > 0.
[[nodiscard]] constexpr index ceil_root(index n, index exponent) {
  index below = 1;
  index root = n;
  while (root - below > 1) {
    index const middle = below + (root - below) / 2;
    (power_reaches(middle, exponent, n) ? root : below) = middle;
  }
  return root;
}

//! The traffic of trees over q nodes for messages of `words` words: in each of s rounds a node
//! sends to f - 1 others, for f^s >= q; the quickest s.
template <cluster_machine M>
[[nodiscard]] constexpr network_traffic tree_traffic(M const& m, index q, index words) {
  if (q <= 1 || words == 0) return {};
  network_traffic best{};
  for (index rounds = 1; rounds <= ceil_log2(q); ++rounds) {
    index const others = ceil_root(q, rounds) - 1;
    network_traffic const t = rounds * exchange_traffic(m, checked_multiply(others, words), others);
    best = rounds == 1 ? t : quicker(best, t);
  }
  return best;
}

//! The traffic of broadcasts and reductions of `words` words in groups of q nodes, and of
//! reductions whose result all nodes get: by trees, or in two exchanges in which every node has a
//! q-th of the words.
template <cluster_machine M>
[[nodiscard]] constexpr network_traffic collective_traffic(M const& m, index q, index words) {
  if (q <= 1 || words == 0) return {};
  index const share = checked_multiply(q - 1, ceil_divide(words, q));
  return quicker(tree_traffic(m, q, words), 2 * exchange_traffic(m, share, q - 1));
}

//! The ranks to which a plan may send from r; all if the plan does not say.
template <class Plan>
[[nodiscard]] constexpr rank_range receivers_of(Plan const& plan, index r, index nodes) {
  if constexpr (requires { plan.receivers(r); })
    return plan.receivers(r);
  else
    return {0, nodes};
}
template <class Plan>
[[nodiscard]] constexpr rank_range senders_of(Plan const& plan, index r, index nodes) {
  if constexpr (requires { plan.senders(r); })
    return plan.senders(r);
  else
    return {0, nodes};
}

//! Rejects `count` words of a node's part of an array from `first` on unless they are within its
//! `words` words. `verb` is what happens to them: "sent". Errors: std::out_of_range.
constexpr void reject_outside(index first, index count, index words, index node, char const* verb) {
  if (first < 0 || count < 0 || first > words || count > words - first)
    throw_out_of_range(failure_text("mmm: words ", first, " to ", first + count - 1, " are ", verb,
                                    ", of ", words, " at node ", node));
}

//! Rejects members of a group that give different numbers of words to a reduction. Errors:
//! std::invalid_argument.
constexpr void reject_unequal(index given, index by_others) {
  if (given != by_others)
    throw_invalid_argument(failure_text("mmm: a node gives ", given,
                                        " words to a reduction; accepted: ", by_others,
                                        ", as another member of its group gives"));
}

//! Words and messages of one node in an exchange: the larger of those sent and those received.
struct node_relation {
  index words = 0;
  index messages = 0;
  constexpr void include(node_relation const& x) {
    words = larger(words, x.words);
    messages = larger(messages, x.messages);
  }
};
//! The relation of node r in exchanges that take place at the same time.
template <class... Plans>
[[nodiscard]] constexpr node_relation relation_of(index r, index nodes, Plans const&... plans) {
  if constexpr (sizeof...(Plans) == 1 && (requires { plans.relation(r); } && ...)) {
    return (plans.relation(r), ...);
  } else {
    node_relation sent, received;
    auto const add = [r](node_relation& sum, index other, piece const& p) {
      if (other == r || p.total() == 0) return;
      sum.words = checked_add(sum.words, p.total());
      ++sum.messages;
    };
    auto const add_all = [&](auto const& plan) {
      rank_range const receivers = receivers_of(plan, r, nodes);
      for (index s = receivers.first; s < receivers.last; s += receivers.stride)
        add(sent, s, plan(r, s));
      rank_range const senders = senders_of(plan, r, nodes);
      for (index s = senders.first; s < senders.last; s += senders.stride)
        add(received, s, plan(s, r));
    };
    (add_all(plans), ...);
    sent.include(received);
    return sent;
  }
}

//! A body for each_node or an exchange. Nodes r for which `key(r)` is equal do the same work: an
//! estimate examines one of them.
template <class Key, class Body>
struct keyed_body {
  Key key;
  Body body;
  template <class On>
  constexpr decltype(auto) operator()(On& on, index r) const {
    return body(on, r);
  }
};
template <class Key, class Body>
keyed_body(Key, Body) -> keyed_body<Key, Body>;

//! The slower one of two nodes' works; of equally slow ones that with more rounds, then stages.
[[nodiscard]] constexpr cost slower(cost const& a, cost const& b) {
  bool const second = a.time != b.time       ? b.time > a.time
                      : a.rounds != b.rounds ? b.rounds > a.rounds
                                             : b.stages > a.stages;
  cost slowest = second ? b : a;
  slowest.closed_form = a.closed_form && b.closed_form;
  return slowest;
}

//! The costs of a program's supersteps so far.
template <cluster_machine M>
class superstep_log {
 public:
  constexpr explicit superstep_log(M const& m) : machine_(m) {}
  [[nodiscard]] constexpr M const& machine() const { return machine_; }
  [[nodiscard]] constexpr cluster_cost const& total() const { return total_; }
  //! An exchange and the nodes' work at the same time; one of the two may be nothing.
  constexpr void add(cost const& work, network_traffic const& traffic, index count = 1) {
    if (count == 0) return;
    total_.work = total_.work + times(count, work);
    total_.network = total_.network + count * traffic;
    total_.time =
        checked_add(total_.time, checked_multiply(count, larger(work.time, traffic.time)));
  }
  //! Adds everything since `before` again, `count` times.
  constexpr void repeat(cluster_cost const& before, index count) {
    cost const& w = total_.work;
    cost const work{w.rounds - before.work.rounds, w.stages - before.work.stages,
                    w.time - before.work.time, w.closed_form};
    network_traffic const& t = total_.network;
    network_traffic const traffic{
        t.supersteps - before.network.supersteps, t.words - before.network.words,
        t.messages - before.network.messages, t.time - before.network.time};
    index const time = total_.time - before.time;
    total_.work = w + times(count, work);
    total_.network = t + count * traffic;
    total_.time = checked_add(total_.time, checked_multiply(count, time));
  }

 private:
  [[nodiscard]] static constexpr cost times(index count, cost const& c) {
    return {checked_multiply(count, c.rounds), checked_multiply(count, c.stages),
            checked_multiply(count, c.time), c.closed_form};
  }
  M machine_;
  cluster_cost total_{};
};

//! The number of threads of each node; std::invalid_argument if the nodes cannot share them evenly.
template <cluster_machine M>
[[nodiscard]] constexpr threads threads_of_node(M const& m, threads p) {
  if (p.count % m.nodes() != 0)
    throw_invalid_argument(failure_text("mmm: the number of threads is ", p.count,
                                        "; accepted: a multiple of ", m.nodes(),
                                        ", the number of nodes"));
  return threads(p.count / m.nodes());
}

//! The members of cluster handles. `Derived` has `machine()`, `run_nodes(body)`,
//! `make_array<T>(distribution)`, `run_distribution_of(n)`, `run_bring(first, d)`,
//! `run_results<T>(out, d)`, `run_deliver(array, out, d)`, `run_inspect(a)`,
//! `run_exchange(body, transfers …)`, `run_all_reduce(x, op)`,
//! `run_exclusive_scan(x, op, initial)`, `run_all_gather(x)`,
//! `run_broadcast(groups, root, source, target)`, `run_reduce(groups, root, source, target, op)`,
//! `run_blocks(blocks, groups, reach)` and `run_loop(blocks, body)`.
template <class Derived, cluster_machine M>
class cluster_vocabulary_of_nodes {
 public:
  using machine_type = M;
  using has_nodes = void;  //!< programs for one machine are refused
  struct nothing_meanwhile {
    template <class On>
    constexpr void operator()(On&, index) const {}
  };

  [[nodiscard]] constexpr index nodes() const { return self().machine().nodes(); }
  //! All nodes as one group.
  [[nodiscard]] constexpr node_groups all_nodes() const { return {nodes(), 1}; }

  //! The blocks of n items, one for each member of a group of nodes. `reach` is the distance of
  //! the members whose blocks decide what a node does, 0 or more.
  [[nodiscard]] constexpr block_distribution blocks(index n, node_groups const& groups,
                                                    index reach = 1) const {
    block_distribution const b(n, groups.size);
    self().run_blocks(b, groups, reach);
    return b;
  }
  [[nodiscard]] constexpr block_distribution blocks(index n, index reach = 1) const {
    return blocks(n, all_nodes(), reach);
  }
  //! An array of `distribution.words(r)` words on each node r, uninitialized.
  template <class T, class Distribution>
  [[nodiscard]] constexpr auto allocate(Distribution const& distribution) const {
    return self().template make_array<T>(distribution);
  }
  //! The distribution of a caller's n words.
  [[nodiscard]] constexpr auto distribution_of(index n) const {
    return self().run_distribution_of(n);
  }
  //! The caller's sequence as an array, to be read.
  template <class In, class Distribution>
  [[nodiscard]] constexpr auto bring(In first, Distribution const& distribution) const {
    return self().run_bring(first, distribution);
  }
  //! An array for results, which `deliver` gives to the caller.
  template <class T, class Out, class Distribution>
  [[nodiscard]] constexpr auto results(Out out, Distribution const& distribution) const {
    return self().template run_results<T>(out, distribution);
  }
  template <class Array, class Out, class Distribution>
  constexpr void deliver(Array const& array, Out out, Distribution const& distribution) const {
    self().run_deliver(array, out, distribution);
  }
  //! Calls `body(on, r)` on each node r; returns its results as a node_value.
  template <class Body>
  constexpr auto each_node(Body const& body) const {
    return self().run_nodes(body);
  }
  //! Sends the pieces `plan(r, s)` of `source` on node r to `target` on node s. A plan may also
  //! have `receivers(r)` and `senders(r)`, the mmm::rank_range outside of which pieces are empty,
  //! and `relation(r)`, the words and messages of node r in closed form: those of its pieces, or,
  //! in an estimate of pieces that depend on data, the most or the fewest for any data.
  //! Errors: std::out_of_range for a piece outside its array.
  template <class Source, class Target, class Plan>
  constexpr void exchange(Source const& source, Target const& target, Plan const& plan) const {
    exchange(source, target, plan, nothing_meanwhile{});
  }
  //! An exchange and `body(on, r)` on each node at the same time.
  template <class Source, class Target, class Plan, class Body>
  constexpr void exchange(Source const& source, Target const& target, Plan const& plan,
                          Body const& body) const {
    self().run_exchange(body, transfer{source, target, plan});
  }
  //! Two exchanges and `body(on, r)` on each node at the same time.
  template <class Source, class Target, class Plan, class OtherSource, class OtherTarget,
            class OtherPlan, class Body = nothing_meanwhile>
  constexpr void exchange(transfer<Source, Target, Plan> const& first,
                          transfer<OtherSource, OtherTarget, OtherPlan> const& second,
                          Body const& body = {}) const {
    self().run_exchange(body, first, second);
  }
  //! The words of an array of numbers, for plans: `inspect(a)(r, i)`.
  template <class Array>
  [[nodiscard]] constexpr auto inspect(Array const& a) const {
    return self().run_inspect(a);
  }
  template <class Value, class Operator>
  constexpr auto all_reduce(Value const& x, Operator const& op) const {
    return self().run_all_reduce(x, op);
  }
  template <class Value, class Operator, class T>
  constexpr auto exclusive_scan(Value const& x, Operator const& op, T const& initial) const {
    return self().run_exclusive_scan(x, op, initial);
  }
  template <class Value>
  constexpr auto all_gather(Value const& x) const {
    return self().run_all_gather(x);
  }
  template <class Source, class Target>
  constexpr void broadcast(node_groups const& groups, index root, Source const& source,
                           Target const& target) const {
    reject_root(groups, root);
    self().run_broadcast(groups, root, source, target);
  }
  template <class Source, class Target, class Operator>
  constexpr void reduce(node_groups const& groups, index root, Source const& source,
                        Target const& target, Operator const& op) const {
    reject_root(groups, root);
    self().run_reduce(groups, root, source, target, op);
  }
  //! `body(b)` for each block b, one after the other. Trips of equal blocks cost the same.
  template <class Body>
  constexpr void repeat(block_distribution const& blocks, Body const& body) const {
    self().run_loop(blocks, body);
  }

 private:
  [[nodiscard]] constexpr Derived const& self() const { return static_cast<Derived const&>(*this); }
  constexpr void reject_root(node_groups const& groups, index root) const {
    if (groups.size < 1 || groups.stride < 1 || nodes() % (groups.size * groups.stride) != 0)
      throw_invalid_argument(failure_text(
          "mmm: the number of nodes is ", nodes(), "; accepted: a multiple of ", groups.size, " * ",
          groups.stride, ", the size of the groups and the distance of members"));
    if (root < 0 || root >= groups.size)
      throw_invalid_argument(failure_text("mmm: the root of a collective is ", root,
                                          "; accepted: 0 to ", groups.size - 1,
                                          ", a member of the group"));
  }
};

}  // namespace detail

//! A handle for the nodes of a cluster; see the laws above.
template <class H>
concept cluster_nodes_handle =
    cluster_machine<typename H::machine_type> && requires(H const& on, index n) {
      { on.nodes() } -> detail::same_as<index>;
      { on.blocks(n) } -> detail::same_as<block_distribution>;
      on.template allocate<float>(block_distribution{});
    };

}  // namespace mmm
