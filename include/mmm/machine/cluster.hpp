// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/machine/parameter.hpp>

//! Clusters of machines: nodes that a network joins, the level above one GPU. (Clusters of thread
//! blocks are inside one: machine/clustered.hpp.)
namespace mmm {

//! The gap `g` of a network: `words` words take `time` time units at each node, so that `1/g` words
//! are sent and received per time unit. A network that is faster than a word per time unit is
//! `gap(1, 64)`: 64 words per time unit. Errors: std::invalid_argument for numbers below 1.
struct gap {
  index time;   //!< time units, or mmm::dynamic
  index words;  //!< that are sent or received in them

  constexpr gap(index time_units, index of_words = 1)  // NOLINT: a number is a gap
      : time(time_units), words(of_words) {
    if (time != dynamic && time < 1)
      detail::reject("the gap of a network in time units per word", time, "1 or more");
    if (words < 1) detail::reject("the words of a network's gap", words, "1 or more");
  }
  friend constexpr bool operator==(gap const&, gap const&) = default;
};

//! **Concept: cluster.** `nodes()` machines of type `node()`, each with its own memory, joined by a
//! network. Programs are sequences of supersteps (Valiant 1990): the nodes work on their own
//! memories, then exchange words.
//!
//! Laws: `nodes() >= 1`, `network_latency() >= 1`, `message_overhead() >= 0`; a superstep takes the
//! time of the slowest node's work, and that of its exchange (mmm::exchange_time). A cluster of one
//! node takes the time of its node. Models: cluster.
template <class M>
concept cluster_machine = requires(M const& m) {
  { m.nodes() } -> detail::same_as<index>;
  { m.network_gap() } -> detail::same_as<gap>;
  { m.network_latency() } -> detail::same_as<index>;
  { m.message_overhead() } -> detail::same_as<index>;
  { m.node() } -> machine;
};

namespace detail {

struct nodes_name {
  static constexpr char const* text = "the number of nodes";
};
struct network_latency_name {
  static constexpr char const* text = "the network's latency";
};

//! A run-time value of a network's parameter: a number, or a gap. Each parameter checks its own.
struct given_network_value {
  index time;
  index words = 1;
  constexpr given_network_value(index number) : time(number) {}                  // NOLINT
  constexpr given_network_value(gap const& g) : time(g.time), words(g.words) {}  // NOLINT
  [[nodiscard]] constexpr gap network_gap() const { return {time, words}; }
};

//! A network's gap: in the type, or in the value.
template <gap G>
struct gap_parameter {
  constexpr gap_parameter() = default;
  constexpr explicit gap_parameter(gap) {}
  [[nodiscard]] static constexpr gap network_gap() { return G; }
  friend constexpr bool operator==(gap_parameter const&, gap_parameter const&) = default;
};
template <gap G>
requires(G.time == dynamic)
struct gap_parameter<G> {
  gap value;
  constexpr explicit gap_parameter(gap given) : value(given) {
    if (value.time < 1)
      reject("the gap of a network in time units per word", value.time, "1 or more");
  }
  [[nodiscard]] constexpr gap network_gap() const { return value; }
  friend constexpr bool operator==(gap_parameter const&, gap_parameter const&) = default;
};

//! The compile error of a static overhead that is negative.
template <index Got, index Least>
struct message_overhead {
  static_assert(Got >= Least,
                "mmm: the overhead of a message is negative: <Got, Least>, in time units");
  static constexpr bool accepted = true;
};

}  // namespace detail

//! `K` nodes of type `Node`, each with its own memory, joined by a network: the bulk-synchronous
//! parallel computer (Valiant, A Bridging Model for Parallel Computation, CACM 33(8), 1990), whose
//! nodes are machines of this library.
//! \tparam K number of nodes, or mmm::dynamic.
//! \tparam G gap: time units per word that a node sends or receives, a number or a mmm::gap, or
//! mmm::dynamic.
//! \tparam L latency of an exchange in time units, with the synchronization of the nodes; or
//! mmm::dynamic.
//! \tparam Node a machine.
//! \tparam Overhead time units that a node takes for each message that it sends or receives, 0 or
//! more, whatever its length: the `o` of LogGP (Alexandrov, Ionescu, Schauser, Scheiman, LogGP:
//! Incorporating Long Messages into the LogP Model, SPAA 1995). Valiant's model has 0.
//! Construct from the dynamic ones of nodes, gap and latency, in this order, and then the node
//! where it has dynamic parameters; std::invalid_argument if one is below 1.
template <index K, gap G, index L, machine Node, index Overhead = 0>
struct cluster : private detail::parameter<detail::nodes_name, K>,
                 detail::gap_parameter<G>,
                 private detail::parameter<detail::network_latency_name, L> {
 private:
  using nodes_parameter = detail::parameter<detail::nodes_name, K>;
  using latency_parameter = detail::parameter<detail::network_latency_name, L>;
  static constexpr bool dynamic_gap = G.time == dynamic;
  static constexpr int gap_place = K == dynamic ? 1 : 0;
  static constexpr int dynamic_parameters = gap_place + (dynamic_gap ? 1 : 0) + (L == dynamic);
  static_assert(detail::message_overhead<Overhead, 0>::accepted);
  Node node_;

  constexpr cluster(Node const& given, detail::parameter_source nodes, gap g,
                    detail::parameter_source latency)
      : nodes_parameter(nodes),
        detail::gap_parameter<G>(g),
        latency_parameter(latency),
        node_(given) {}
  // The dynamic ones of nodes, gap and latency, then numbers that stand for nothing.
  struct given_values {
    detail::given_network_value value[3];
    constexpr given_values(detail::given_network_value first,
                           detail::given_network_value second = index{1},
                           detail::given_network_value third = index{1})
        : value{first, second, third} {}
  };
  constexpr cluster(Node const& node, given_values const& given)
      : cluster(node, detail::given_parameters<1>{{given.value[0].time}}.source(),
                dynamic_gap ? given.value[gap_place].network_gap() : G,
                detail::given_parameters<1>{{given.value[dynamic_parameters - 1].time}}.source()) {}

  //! One value for each dynamic parameter, of which only the gap's may be a mmm::gap.
  template <class... Values>
  [[nodiscard]] static constexpr bool fit() {
    if (sizeof...(Values) != dynamic_parameters) return false;
    bool const number[] = {detail::convertible_to<Values, index>..., true};
    for (int i = 0; i < dynamic_parameters; ++i)
      if (!number[i] && !(dynamic_gap && i == gap_place)) return false;
    return true;
  }

 public:
  constexpr cluster()
  requires(dynamic_parameters == 0 && detail::default_constructible<Node>)
  = default;
  constexpr explicit cluster(Node const& node)
  requires(dynamic_parameters == 0)
      : node_(node) {}
  template <detail::convertible_to<detail::given_network_value>... Values>
  requires(dynamic_parameters > 0 && fit<Values...>() && detail::default_constructible<Node>)
  constexpr explicit cluster(Values... given) : cluster(Node{}, given_values(given...)) {}
  //! \param node the machine that each node is; the dynamic parameters follow.
  template <detail::convertible_to<detail::given_network_value>... Values>
  requires(dynamic_parameters > 0 && fit<Values...>())
  constexpr explicit cluster(Node const& node, Values... given)
      : cluster(node, given_values(given...)) {}

  [[nodiscard]] constexpr index nodes() const { return nodes_parameter::get(); }
  [[nodiscard]] constexpr index network_latency() const { return latency_parameter::get(); }
  [[nodiscard]] static constexpr index message_overhead() { return Overhead; }
  [[nodiscard]] constexpr Node node() const { return node_; }
  friend constexpr bool operator==(cluster const&, cluster const&) = default;
};

//! The time of an exchange in which no node sends or receives more than `words` words in
//! `messages` messages (an h-relation with h = `words`), in time units: `ceil(g h) + o messages +
//! L`, and 0 if no word is sent. Errors: std::overflow_error over 64 bits.
template <cluster_machine M>
[[nodiscard]] constexpr index exchange_time(M const& m, index words, index messages) {
  if (words == 0) return 0;
  gap const g = m.network_gap();
  index const moved = detail::ceil_divide(detail::checked_multiply(words, g.time), g.words);
  index const overhead = detail::checked_multiply(m.message_overhead(), messages);
  return detail::checked_add(detail::checked_add(moved, overhead), m.network_latency());
}

}  // namespace mmm
