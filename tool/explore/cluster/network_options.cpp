// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "network_options.hpp"

#include "programs.hpp"

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
      "a cluster of K such machines, joined by a network; its cost by closed forms, nothing is "
      "simulated. --size and --threads are the totals over all nodes");
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
      "words as on a side of --size)");
  add("-o,--output", w.picture, "FILE.svg", "with --scaling: draw it");
}

void read_network(written_network const& w, std::string const& threads,
                  std::vector<std::pair<char const*, std::string>> const& others, options& o) {
  if (w.nodes.empty()) {
    for (auto const& [option, value] : {std::pair<char const*, std::string const&>{"--gap", w.gap},
                                        {"--network-latency", w.latency},
                                        {"--message-overhead", w.overhead},
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
  static_cast<void>(program_of(o.algorithm->name));
  for (auto const& [option, value] : others)
    if (!value.empty())
      throw failure(std::string(option) +
                    " and --nodes exclude each other: nothing is simulated on a cluster");
  o.network = network;
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
