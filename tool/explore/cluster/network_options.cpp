// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "network_options.hpp"

#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>

#include <string_view>

namespace explore::cluster {

namespace {

using tool::failure;

[[noreturn]] void reject(std::string const& option, std::string const& value,
                         std::string const& accepted) {
  throw failure(option + " is " + (value.empty() ? "empty" : tool::shortened(value)) +
                "; accepted: " + accepted);
}

index number(std::string const& option, std::string const& text, index least) {
  index value = 0;
  if (!tool::read_whole(text, value) || value < least)
    reject(option, text,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(INT64_MAX));
  return value;
}

//! "2" or "1/64": time units, and the words in them.
mmm::gap gap_of(std::string const& text) {
  std::size_t const slash = text.find('/');
  index time = 0, words = 1;
  bool const valid = tool::read_whole(std::string_view(text).substr(0, slash), time) &&
                     (slash == std::string::npos ||
                      tool::read_whole(std::string_view(text).substr(slash + 1), words)) &&
                     time >= 1 && words >= 1;
  if (!valid)
    reject("--gap", text, "whole numbers from 1 on: time units per word, or TIME/WORDS as 1/64");
  return {time, words};
}

//! Rejects an algorithm without a program for clusters.
void demand_program(algorithm_entry const& a) {
  if (a.run_on_nodes != nullptr) return;
  std::vector<std::string> names;
  for (algorithm_entry const& other : algorithms())
    if (other.run_on_nodes != nullptr) names.emplace_back(other.name);
  throw failure(std::string("--nodes is given, but ") + a.name +
                " has no program for clusters; accepted: " + tool::joined(names));
}

//! "2x3" or "2x3x4": rows, columns and layers.
std::optional<mmm::node_grid> grid_of(std::string_view text) {
  index sides[] = {1, 1, 1};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    std::size_t const end = text.find('x');
    more = end != std::string_view::npos;
    if (count == 3 || !tool::read_whole(text.substr(0, end), sides[count]) || sides[count] < 1)
      return std::nullopt;
    if (more) text.remove_prefix(end + 1);
  }
  if (count < 2) return std::nullopt;
  return mmm::node_grid(sides[0], sides[1], sides[2]);
}

//! True if the grid has so many nodes. Does not overflow.
bool has_nodes(mmm::node_grid const& grid, index nodes) {
  return nodes % grid.rows == 0 && nodes / grid.rows % grid.columns == 0 &&
         nodes / grid.rows / grid.columns == grid.layers;
}

void read_grid(written_network const& w, options& o) {
  for (auto const& [option, value] :
       {std::pair<char const*, std::string const&>{"--grid", w.grid}, {"--panels", w.panels}})
    if (!value.empty() && !o.algorithm->uses.grid)
      throw failure(std::string(option) + " is given, but " + o.algorithm->name +
                    " does not use it; accepted: with matrix-multiply");
  if (!w.panels.empty()) o.extra.panels = number("--panels", w.panels, 1);
  if (w.grid.empty()) return;
  o.extra.best_grid = w.grid == "auto";
  if (o.extra.best_grid) return;
  o.extra.grid = grid_of(w.grid);
  index const nodes = o.network->nodes;
  if (!o.extra.grid || !has_nodes(*o.extra.grid, nodes))
    reject("--grid", w.grid,
           "ROWSxCOLUMNS or ROWSxCOLUMNSxLAYERS with " + std::to_string(nodes) +
               " nodes in all, the number of --nodes; or auto");
  if (!w.scaling.empty())
    throw failure("--grid " + w.grid + " and --scaling exclude each other; accepted: --grid auto");
}

void read_threads(std::string const& text, options& o) {
  index const nodes = o.network->nodes;
  index const dmms = is_hmm(o.machine.kind) ? o.machine.dmms : 1;
  if (text.empty()) {
    if (o.threads > INT64_MAX / nodes)
      reject("--nodes", std::to_string(nodes),
             "a whole number from 1 to " + std::to_string(INT64_MAX / o.threads));
    o.threads *= nodes;  // those of one node
    return;
  }
  if (o.threads % nodes != 0)
    reject("--threads", text,
           "multiples of the number of nodes, " + std::to_string(nodes) +
               " (--threads is the total over all of them)");
  if (o.threads / nodes % dmms != 0)
    reject("--threads", text,
           "multiples of " + std::to_string(nodes) + " nodes times " + std::to_string(dmms) +
               " DMMs (--threads is the total over all of them)");
}

}  // namespace

void add_options(CLI::App& app, written_network& w) {
  auto const add = [&app](char const* name, std::string& to, char const* type,
                          char const* description) {
    app.add_option(name, to, description)->type_name(type);
  };
  add("--nodes", w.nodes, "K",
      "a cluster of K such machines, joined by a network. --size and --threads are the totals over "
      "all nodes");
  add("--gap", w.gap, "G",
      "with --nodes: time units in which a node sends or receives a word, or TIME/WORDS: 1/64 for "
      "64 words per time unit (default: 1)");
  add("--network-latency", w.latency, "L",
      "with --nodes: time units of an exchange (default: 1000)");
  add("--message-overhead", w.overhead, "O",
      "with --nodes: time units that a node takes for a message of any length (default: 0)");
  add("--scaling", w.scaling, "KIND",
      "with --nodes: a table for 1, 2, 4, ... nodes up to K with the threads of a node unchanged: "
      "strong, --size over all nodes; or weak, --size on each node (of a square: K times as many "
      "words as on a side of --size); by closed forms, nothing is simulated");
  add("--grid", w.grid, "RxC[xL]",
      "matrix-multiply with --nodes: the grid of the nodes, in R rows and C columns, and L layers; "
      "or auto: the quickest of all grids, with a table of them (default: that with the least of "
      "the network's time and twice the multiplications' stages)");
  add("--panels", w.panels, "N",
      "matrix-multiply with --nodes: the panels of the inner side, whose words are sent one after "
      "the other (default: 1)");
  add("-o,--output", w.picture, "FILE.svg", "with --scaling: draw it");
}

void read_network(written_network const& w, std::string const& threads,
                  std::vector<std::pair<char const*, std::string>> const& excluded,
                  std::string const& input, options& o) {
  if (w.nodes.empty()) {
    for (auto const& [option, value] : {std::pair<char const*, std::string const&>{"--gap", w.gap},
                                        {"--network-latency", w.latency},
                                        {"--message-overhead", w.overhead},
                                        {"--grid", w.grid},
                                        {"--panels", w.panels},
                                        {"--scaling", w.scaling}})
      if (!value.empty())
        throw failure(std::string(option) + " is given without --nodes; accepted: with --nodes K");
    if (!w.picture.empty())
      throw failure("--output is given without --scaling; accepted: with --nodes and --scaling");
    return;
  }
  network_choice network;
  network.nodes = number("--nodes", w.nodes, 1);
  if (!w.gap.empty()) network.gap = gap_of(w.gap);
  if (!w.latency.empty()) network.latency = number("--network-latency", w.latency, 1);
  if (!w.overhead.empty()) network.overhead = number("--message-overhead", w.overhead, 0);
  demand_program(*o.algorithm);
  for (auto const& [option, value] : excluded)
    if (!value.empty())
      throw failure(std::string(option) +
                    " and --nodes exclude each other: a cluster's simulation has no trace");
  if (!w.scaling.empty() && !input.empty())
    throw failure("--input and --scaling exclude each other: nothing is simulated with --scaling");
  o.network = network;
  read_grid(w, o);
  read_threads(threads, o);
  if (!w.scaling.empty()) {
    if (w.scaling != "strong" && w.scaling != "weak")
      throw tool::no_such_name("--scaling", w.scaling, {"strong", "weak"});
    o.scaling = w.scaling == "weak" ? mmm::report::scaling::weak : mmm::report::scaling::strong;
  }
  if (w.picture.empty()) return;
  if (!o.scaling)
    throw failure("--output is given without --scaling; accepted: with --nodes and --scaling");
  o.output = w.picture;
}

}  // namespace explore::cluster
