// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/machine/cluster.hpp>
#include <mmm/machine/machine.hpp>

//! Clusters of the chosen machine.
namespace explore {

//! Nodes and their network as numbers.
struct network_choice {
  mmm::index nodes = 1;
  mmm::gap gap{1};
  mmm::index latency = 1000;
  mmm::index overhead = 0;  //!< of a message
};

namespace cluster {

//! A cluster whose numbers, the overhead of a message too, are known at run time.
template <mmm::machine Node>
struct chosen_cluster {
  Node each;
  network_choice network;

  [[nodiscard]] constexpr mmm::index nodes() const { return network.nodes; }
  [[nodiscard]] constexpr mmm::gap network_gap() const { return network.gap; }
  [[nodiscard]] constexpr mmm::index network_latency() const { return network.latency; }
  [[nodiscard]] constexpr mmm::index message_overhead() const { return network.overhead; }
  [[nodiscard]] constexpr Node node() const { return each; }
};

}  // namespace cluster

}  // namespace explore
