// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scaling.hpp"

#include <mmm/core/arithmetic.hpp>

#include <common/failure.hpp>

#include <algorithm>
#include <stdexcept>

namespace explore::cluster {

namespace {

//! The side of the largest square with at most `words` words.
index side_of(index words) {
  index low = 0, high = 3037000499;  // whose square is below 2^63
  while (low < high) {
    index const middle = low + (high - low + 1) / 2;
    if (middle * middle <= words)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

//! The size for the nodes together where each has the words of `size`.
index scaled_size(problem_shape shape, index size, index nodes) {
  using mmm::detail::checked_multiply;
  if (shape == problem_shape::square)
    return side_of(checked_multiply(checked_multiply(size, size), nodes));
  return checked_multiply(size, nodes);
}

//! The powers of two below `greatest`, and `greatest`.
std::vector<index> node_counts(index greatest) {
  std::vector<index> counts;
  for (index nodes = 1; nodes < greatest; nodes *= 2) {
    counts.push_back(nodes);
    if (nodes > greatest / 2) break;
  }
  counts.push_back(greatest);
  return counts;
}

tool::failure too_large(task const& t, index nodes, std::string const& overflow) {
  return tool::failure("too large together: --size " + std::to_string(t.size) + ", --nodes " +
                       std::to_string(nodes) + ", --threads " + std::to_string(t.threads) + " (" +
                       overflow +
                       "); accepted: numbers with which words, stages and time units are below "
                       "2^63");
}

}  // namespace

figures figures_of(options const& o, task const& t, index nodes) {
  network_choice network = *o.network;
  network.nodes = nodes;
  try {
    return o.algorithm->run_on_nodes(o.machine, network, t);
  } catch (std::overflow_error const& e) {
    throw too_large(t, nodes, tool::message_of(e));
  }
}

namespace {

//! The time of one node for the task; 0 if 64 bits do not hold it, or the node refuses the task.
index time_alone(options const& o, task t, index threads) {
  network_choice one = *o.network;
  one.nodes = 1;
  t.threads = threads;
  try {
    return o.algorithm->run_on_nodes(o.machine, one, t).cost().time;
  } catch (std::overflow_error const&) {
    return 0;
  } catch (std::logic_error const&) {
    return 0;
  }
}

}  // namespace

std::vector<scaled> scaling_of(options const& o, task const& t) {
  index const greatest = o.network->nodes;
  index const threads_of_node = t.threads / greatest;
  std::vector<scaled> all;
  index size_alone = 0, alone = 0;  // of one node: its last size, and its time for that
  for (index const nodes : node_counts(greatest)) {
    scaled s;
    s.nodes = nodes;
    s.done = t;
    s.done.threads = threads_of_node * nodes;
    try {
      if (*o.scaling == mmm::report::scaling::weak)
        s.done.size = scaled_size(o.algorithm->shape, t.size, nodes);
      s.found = figures_of(o, s.done, nodes);
      if (s.done.size != size_alone) alone = time_alone(o, s.done, threads_of_node);
      size_alone = s.done.size;
      s.alone = alone;
    } catch (std::overflow_error const& e) {
      throw too_large(t, nodes, tool::message_of(e));
    } catch (std::invalid_argument const& e) {
      s.refused = tool::message_of(e);
    }
    all.push_back(std::move(s));
  }
  return all;
}

std::vector<mmm::report::scaling_point> points_of(std::vector<scaled> const& all) {
  std::vector<mmm::report::scaling_point> points;
  for (scaled const& s : all)
    if (s.refused.empty())
      points.push_back({s.nodes, s.found.cost(), s.alone, s.found.lower_bound});
  return points;
}

}  // namespace explore::cluster
