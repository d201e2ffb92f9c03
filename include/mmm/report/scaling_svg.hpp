// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/report/chart.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! The times of a program on more and more nodes, as a picture.
namespace mmm::report {

//! A program's cost on a number of nodes.
struct scaling_point {
  index nodes = 1;
  cluster_cost cost{};
  index alone = 0;        //!< time units of one node for the same problem; 0: not known
  index lower_bound = 0;  //!< time units; 0: none
};

//! The first point whose exchanges take longer than its work; null if there is none.
[[nodiscard]] inline scaling_point const* network_takes_over(
    std::vector<scaling_point> const& points) {
  for (scaling_point const& p : points)
    if (p.cost.network.time > p.cost.work.time) return &p;
  return nullptr;
}

//! The point of the least time, the first one of equals; null if there are no points.
[[nodiscard]] inline scaling_point const* quickest(std::vector<scaling_point> const& points) {
  scaling_point const* best = nullptr;
  for (scaling_point const& p : points)
    if (best == nullptr || p.cost.time < best->cost.time) best = &p;
  return best;
}

//! Strong scaling: the same problem on all numbers of nodes. Weak scaling: the same part of a
//! problem on each node.
enum class scaling { strong, weak };

//! Time, work and network time against the number of nodes as an SVG document, with the lower bound
//! and the ideal time: that of one node for the same problem, divided by the number of nodes. A
//! disc marks the first point whose exchanges take longer than its work.
//! \param points in the order of their nodes.
[[nodiscard]] inline std::string svg(std::vector<scaling_point> const& points, scaling kind,
                                     std::string title) {
  std::vector<curve> curves(5);
  char const* const names[] = {"time", "work", "network", "lower bound", "ideal"};
  for (std::size_t k = 0; k < curves.size(); ++k) curves[k].name = names[k];
  auto const add = [&curves](std::size_t k, index nodes, index time) {
    if (time > 0) curves[k].points.emplace_back(nodes, time);
  };
  for (scaling_point const& p : points) {
    add(0, p.nodes, p.cost.time);
    add(1, p.nodes, p.cost.work.time);
    add(2, p.nodes, p.cost.network.time);
    add(3, p.nodes, p.lower_bound);
    add(4, p.nodes, p.alone / p.nodes);
  }
  if (scaling_point const* const p = network_takes_over(points))
    curves[0].marks.emplace_back(p->nodes, p->cost.time);
  chart_text words;
  words.title = std::move(title);
  words.x_axis = kind == scaling::weak ? "nodes, each with the same part of the problem" : "nodes";
  words.marks = "from here on the network takes longer than the work";
  return svg(curves, words);
}

}  // namespace mmm::report
