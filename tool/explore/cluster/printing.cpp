// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printing.hpp"

#include <mmm/report/drawing.hpp>
#include <mmm/report/scaling_svg.hpp>
#include <mmm/report/table.hpp>

#include "../machine_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace explore::cluster {

namespace {

using json = nlohmann::ordered_json;
using mmm::report::detail::decimal;
using mmm::report::detail::grouped;

std::string counted(index value, char const* noun) {
  return grouped(value) + " " + noun + (value == 1 ? "" : "s");
}

bool is_square(options const& o) { return o.algorithm->shape == problem_shape::square; }

std::string size_in_words(options const& o, index size) {
  return is_square(o) ? grouped(size) + " x " + grouped(size) : counted(size, "element");
}

std::string network_in_words(network_choice const& n) {
  std::string text = "gap " + grouped(n.gap.time);
  if (n.gap.words > 1) text += " for " + counted(n.gap.words, "word");
  text += ", latency " + grouped(n.latency);
  if (n.overhead > 0) text += ", " + grouped(n.overhead) + " for a message";
  return text;
}

double ratio_of(index time, index bound) {
  return static_cast<double>(time) / static_cast<double>(bound);
}

using labelled = std::vector<std::pair<std::string, std::string>>;

labelled heading(options const& o) {
  return {{"node", machine_in_words(o.machine)}, {"network", network_in_words(*o.network)}};
}

//! "2x3", or "2x3x4" with its layers, as --grid has it.
std::string grid_in_words(mmm::node_grid const& grid) {
  return std::to_string(grid.rows) + "x" + std::to_string(grid.columns) +
         (grid.layers > 1 ? "x" + std::to_string(grid.layers) : "");
}

//! The parameters of the algorithm besides its size.
std::vector<std::pair<char const*, index>> parameters_of(options const& o, task const& t) {
  extra_options const& uses = o.algorithm->uses;
  std::vector<std::pair<char const*, index>> all;
  if (uses.taps) all.emplace_back("taps", t.extra.taps);
  if (uses.radius) all.emplace_back("radius", t.extra.radius);
  if (uses.tile) all.emplace_back("tile", t.extra.tile);
  if (uses.grid && t.extra.panels > 1) all.emplace_back("panels", t.extra.panels);
  return all;
}

std::string laid_out(options const& o, labelled const& lines) {
  algorithm_entry const& a = *o.algorithm;
  std::string text = std::string(a.name) + ": " + a.summary + " (" + a.paper + ")\n";
  for (auto const& [label, value] : lines) {
    char start[32];
    std::snprintf(start, sizeof start, "  %-16s", label.c_str());
    text += start + value + "\n";
  }
  return text;
}

json request_object(options const& o, task const& t) {
  network_choice const& n = *o.network;
  json object{{"algorithm", o.algorithm->name},
              {"machine", machine_object(o)},
              {"nodes", n.nodes},
              {"gap", {{"time", n.gap.time}, {"words", n.gap.words}}},
              {"network_latency", n.latency},
              {"message_overhead", n.overhead},
              {"threads", t.threads},
              {"size", t.size},
              {"pipelined_time", nullptr}};
  for (auto const& [name, value] : parameters_of(o, t)) object[name] = value;
  return object;
}

json work_object(mmm::cost const& work) {
  return {{"rounds", work.rounds}, {"stages", work.stages}, {"time", work.time}};
}
json network_object(mmm::network_traffic const& n) {
  return {
      {"supersteps", n.supersteps}, {"words", n.words}, {"messages", n.messages}, {"time", n.time}};
}
json cost_object(mmm::cluster_cost const& c) {
  return {{"time", c.time}, {"work", work_object(c.work)}, {"network", network_object(c.network)}};
}

void add_figures(json& object, figures const& f) {
  mmm::cluster_cost const& c = f.cost();
  object["rounds"] = c.work.rounds;
  object["stages"] = c.work.stages;
  object.update(cost_object(c));
  if (f.grid) object["grid"] = grid_in_words(*f.grid);
  json bound = json::object();
  for (auto [name, value] : f.limitations) {
    std::replace(name.begin(), name.end(), '-', '_');
    bound[name] = value;
  }
  bound["time"] = f.lower_bound;
  object["bound"] = bound;
  object["ratio"] = nullptr;
  if (f.lower_bound > 0)
    object["ratio"] = std::round(ratio_of(c.time, f.lower_bound) * 10000) / 10000;
  object["upper_bound"] = {{"time", f.upper_bound}, {"constant", f.constant}};
  json estimate(nullptr);
  if (f.estimate.known) estimate = f.estimate.most.time;
  if (f.estimate.known && !f.estimate.exact())
    estimate = {{"least", f.estimate.least.time}, {"most", f.estimate.most.time}};
  object["closed_form"] = {{"agrees", nullptr}, {"estimate", estimate}, {"simulated", nullptr}};
}

//! The figures of a simulation, and the candidates of a choice.
void add_run(json& object, figures const& f) {
  object["correct"] = nullptr;
  object["races"] = nullptr;
  if (!f.candidates.empty()) {
    json list = json::array();
    for (grid_candidate const& c : f.candidates) {
      json candidate{{"grid", grid_in_words(c.grid)}};
      candidate.update(cost_object(c.cost));
      list.push_back(candidate);
    }
    object["grids"] = list;
  }
  if (!f.run) return;
  if (f.estimate.known) object["closed_form"]["agrees"] = f.estimate.agrees_with(f.run->cost);
  object["closed_form"]["simulated"] = f.run->cost.time;
  object["pipelined_time"] = f.run->pipelined_time;
  object["correct"] = f.run->result.correct;
  object["races"] = f.run->races;
  object["races_between_nodes"] = f.run->races_of_nodes;
  json supersteps = json::array();
  for (mmm::cluster_cost const& c : f.run->supersteps) supersteps.push_back(cost_object(c));
  object["supersteps"] = supersteps;
  for (auto const& [name, value] : f.run->result.figures) object[name] = number_of(value);
}

std::string closed_form_in_words(figures const& f) {
  auto const& e = f.estimate;
  if (!e.known) return "none: the cost depends on the input";
  std::string const for_any =
      "time " + grouped(e.least.time) + " to " + grouped(e.most.time) + " for any input";
  if (!f.run)
    return e.exact() ? "the figures above; nothing was simulated"
                     : for_any + ", above the most; nothing was simulated";
  if (!e.agrees_with(f.run->cost))
    return "DIFFERS from the simulation: time " + grouped(e.least.time) +
           (e.exact() ? "" : " to " + grouped(e.most.time));
  return e.exact() ? "agrees with the simulation" : for_any + ", which agrees with the simulation";
}

//! A line for each superstep; equal ones in succession share a line.
std::string supersteps_text(std::vector<mmm::cluster_cost> const& all) {
  mmm::report::table rows({"superstep", "time", "work", "network", "words", "messages"});
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    while (last < all.size() && same_figures(all[first], all[last])) ++last;
    mmm::cluster_cost const& c = all[first];
    std::string const number = grouped(static_cast<index>(first) + 1);
    rows.add({last - first == 1 ? number : number + " to " + grouped(static_cast<index>(last)),
              grouped(c.time), grouped(c.work.time), grouped(c.network.time),
              grouped(c.network.words), grouped(c.network.messages)});
  }
  return mmm::report::text(rows);
}

std::string candidates_text(figures const& f) {
  mmm::report::table rows({"grid", "time", "work", "network", "words", "messages", ""});
  for (grid_candidate const& candidate : f.candidates) {
    mmm::cluster_cost const& c = candidate.cost;
    rows.add({grid_in_words(candidate.grid), grouped(c.time), grouped(c.work.time),
              grouped(c.network.time), grouped(c.network.words), grouped(c.network.messages),
              candidate.grid == f.grid ? "chosen" : ""});
  }
  return mmm::report::text(rows);
}

}  // namespace

std::string table_text(options const& o, task const& t, figures const& f,
                       std::string const& input) {
  auto lines = heading(o);
  auto const line = [&lines](char const* label, std::string const& value) {
    lines.emplace_back(label, value);
  };
  mmm::cluster_cost const& c = f.cost();
  lines.insert(lines.begin(), {"cluster", counted(o.network->nodes, "node") + "; " +
                                              counted(t.threads, "thread") + " over all nodes"});
  line("size", size_in_words(o, t.size) + " over all nodes");
  for (auto const& [name, value] : parameters_of(o, t)) line(name, grouped(value));
  if (f.grid) line("grid", grid_in_words(*f.grid));
  line("input", input);
  line("time", grouped(c.time) +
                   (c.time < c.work.time + c.network.time ? ": work and network overlap" : ""));
  line("pipelined time", f.run ? grouped(f.run->pipelined_time) : "not simulated");
  line("work", grouped(c.work.time) + "  (rounds " + grouped(c.work.rounds) + ", stages " +
                   grouped(c.work.stages) + ", of the slowest node)");
  line("exchanges", grouped(c.network.time) + "  (" + counted(c.network.supersteps, "superstep") +
                        ", " + counted(c.network.words, "word") + " in " +
                        counted(c.network.messages, "message") + ", of the busiest node)");
  std::string limits;
  for (auto const& [name, value] : f.limitations)
    limits += (limits.empty() ? "" : ", ") + name + " = " + grouped(value);
  line("lower bound", grouped(f.lower_bound) + (limits.empty() ? "" : "  (" + limits + ")"));
  if (f.lower_bound > 0) line("time / bound", decimal(ratio_of(c.time, f.lower_bound), 2));
  line("upper bound", grouped(f.constant) + " x " + grouped(f.upper_bound) + " by this library");
  line("closed form", closed_form_in_words(f));
  if (f.run) {
    line("result", (f.run->result.correct ? "correct: " : "WRONG: ") + f.run->result.detail);
    line("races", f.run->races == 0
                      ? "none"
                      : grouped(f.run->races) + ", " + grouped(f.run->races_of_nodes) +
                            " of them between nodes" +
                            (f.run->first_race.empty() ? "" : ": " + f.run->first_race));
  }
  std::string text = laid_out(o, lines);
  if (!f.candidates.empty()) text += "\n" + candidates_text(f);
  if (f.run) text += "\n" + supersteps_text(f.run->supersteps);
  return text;
}

std::string json_text(options const& o, task const& t, figures const& f) {
  json object = request_object(o, t);
  if (f.grid) object["panels"] = t.extra.panels;
  add_figures(object, f);
  add_run(object, f);
  return object.dump() + "\n";
}

std::string table_text(options const& o, task const& t, std::vector<scaled> const& all) {
  bool const weak = *o.scaling == mmm::report::scaling::weak;
  auto lines = heading(o);
  lines.emplace_back("scaling", weak ? "weak: " + size_in_words(o, t.size) + " on each node"
                                     : "strong: " + size_in_words(o, t.size) + " over all nodes");
  lines.emplace_back("threads", grouped(t.threads / o.network->nodes) + " on each node");
  for (auto const& [name, value] : parameters_of(o, t)) lines.emplace_back(name, grouped(value));
  if (std::any_of(all.begin(), all.end(),
                  [](scaled const& s) { return !s.found.estimate.exact(); }))
    lines.emplace_back("figures", "the most for any input");
  auto const points = points_of(all);
  std::vector<std::string> header{"nodes", "time", "work", "network"};
  if (weak) header.insert(header.begin() + 1, "size");
  header.insert(header.end(), {"speed-up", "efficiency", "bound", "time / bound"});
  mmm::report::table rows(header);
  std::string refusals;
  for (scaled const& s : all) {
    if (!s.refused.empty()) {
      refusals += "  " + counted(s.nodes, "node") + ": " + s.refused + "\n";
      continue;
    }
    mmm::cluster_cost const& c = s.found.cost();
    double const speed_up = s.alone > 0 ? ratio_of(s.alone, c.time) : 0;
    double const efficiency = speed_up / static_cast<double>(s.nodes);
    std::vector<std::string> row{grouped(s.nodes), grouped(c.time), grouped(c.work.time),
                                 grouped(c.network.time)};
    if (weak) row.insert(row.begin() + 1, grouped(s.done.size));
    bool const bounded = s.found.lower_bound > 0;
    row.insert(row.end(), {s.alone > 0 ? decimal(speed_up, 2) : "",
                           s.alone > 0 ? decimal(efficiency, 3) : "", grouped(s.found.lower_bound),
                           bounded ? decimal(ratio_of(c.time, s.found.lower_bound), 2) : ""});
    rows.add(row);
  }
  std::string text = laid_out(o, lines) + "\n" + mmm::report::text(rows);
  if (!refusals.empty()) text += "\nnot for this number of nodes\n" + refusals;
  auto const* const taken = mmm::report::network_takes_over(points);
  auto const* const best = mmm::report::quickest(points);
  text += taken != nullptr
              ? "\nfrom " + counted(taken->nodes, "node") +
                    " on the network takes longer than the work\n"
              : "\nthe work takes longer than the network with all these numbers of nodes\n";
  if (!weak && best != nullptr)
    text += "quickest with " + counted(best->nodes, "node") + ": time " + grouped(best->cost.time) +
            "\n";
  return text;
}

std::string json_text(options const& o, task const& t, std::vector<scaled> const& all) {
  bool const weak = *o.scaling == mmm::report::scaling::weak;
  json object = request_object(o, t);
  object["scaling"] = weak ? "weak" : "strong";
  json list = json::array();
  for (scaled const& s : all) {
    json point{{"nodes", s.nodes}, {"threads", s.done.threads}, {"size", s.done.size}};
    if (s.refused.empty()) {
      add_figures(point, s.found);
      point["one_node_time"] = s.alone > 0 ? json(s.alone) : json(nullptr);
    } else {
      point["refused"] = s.refused;
    }
    list.push_back(point);
  }
  object["points"] = list;
  auto const points = points_of(all);
  auto const* const taken = mmm::report::network_takes_over(points);
  auto const* const best = mmm::report::quickest(points);
  object["network_takes_over"] = taken != nullptr ? json(taken->nodes) : json(nullptr);
  object["quickest"] = best != nullptr ? json(best->nodes) : json(nullptr);
  return object.dump() + "\n";
}

std::string picture_of(options const& o, task const& t, std::vector<scaled> const& all) {
  bool const weak = *o.scaling == mmm::report::scaling::weak;
  std::string const title = std::string(o.algorithm->name) + ", " + size_in_words(o, t.size) +
                            (weak ? " on each node" : "") + "; " + network_in_words(*o.network);
  return mmm::report::svg(points_of(all), *o.scaling, title);
}

}  // namespace explore::cluster
