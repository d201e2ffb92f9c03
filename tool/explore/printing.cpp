// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printing.hpp"

#include <mmm/report/drawing.hpp>

#include "choose_layout.hpp"
#include "emit.hpp"
#include "figure.hpp"
#include "layout.hpp"
#include "machine_text.hpp"
#include "pattern/pattern.hpp"
#include "random_shift.hpp"

#include <common/nearest_name.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace explore {

namespace {

using json = nlohmann::ordered_json;

using mmm::report::detail::grouped;

//! "1 thread", "1 000 threads".
std::string counted(index value, char const* what) {
  return grouped(value) + " " + what + (value == 1 ? "" : "s");
}

double ratio_of(report const& r, mmm::cost const& cost) {
  return static_cast<double>(cost.time) / static_cast<double>(r.found.lower_bound);
}

//! The cost; the largest one where it depends on data and there is none.
mmm::cost const& cost_of(report const& r) {
  return r.done.simulate ? r.found.run.cost : r.found.estimate.most;
}

std::string figures_of(mmm::cost const& cost) {
  return "rounds " + grouped(cost.rounds) + ", stages " + grouped(cost.stages) + ", time " +
         grouped(cost.time);
}

std::string closed_form_in_words(report const& r) {
  closed_form const& e = r.found.estimate;
  if (!e.known) return "none: the cost depends on the input";
  if (e.of != nullptr)
    return figures_of(e.most) + ", for " + e.of +
           (r.done.simulate ? "" : "; nothing was simulated");
  std::string const for_any =
      "time " + grouped(e.least.time) + " to " + grouped(e.most.time) + " for any input";
  if (!r.done.simulate)
    return e.exact() ? "the figures above; nothing was simulated"
                     : for_any + ", above the most; nothing was simulated";
  if (r.closed_form_agrees())
    return e.exact() ? "agrees with the simulation"
                     : for_any + ", which agrees with the simulation";
  return "DIFFERS from the simulation: " + figures_of(e.least) +
         (e.exact() ? "" : " to " + figures_of(e.most));
}

//! The source of the upper bound's formula, as in docs/algorithms.md: a paper on memory machines,
//! or the library where the source of the algorithm has none for the machine.
std::string source_of_bound(algorithm_entry const& a, machine_kind kind) {
  std::string_view const paper = a.paper, name = a.name;
  bool const on_memory_machines = paper.find("Nakano") != std::string_view::npos;
  bool const paper_has_it = !is_hmm(kind) || (name.find("prefix-sums") == std::string_view::npos &&
                                              name != "matrix-chain");
  return on_memory_machines && paper_has_it ? " by the paper" : " by this library";
}

//! The characters of the common subsequence that was found in a text; otherwise empty.
std::string subsequence_of(report const& r) {
  std::string text;
  if (r.done.characters)
    for (double const symbol : r.found.run.result.subsequence)
      text += static_cast<char>(static_cast<unsigned char>(symbol));
  return text;
}

}  // namespace

bool report::closed_form_agrees() const { return found.estimate.agrees_with(found.run.cost); }

bool report::passed() const {
  return !done.simulate ||
         (closed_form_agrees() && found.run.result.correct && found.run.races == 0);
}

std::string json_text(report const& r) {
  mmm::cost const& cost = cost_of(r);
  bool const simulated = r.done.simulate;
  json object{{"algorithm", r.asked.algorithm->name},
              {"machine", machine_object(r.asked)},
              {"threads", r.done.threads},
              {"size", r.done.size},
              {"rounds", cost.rounds},
              {"stages", cost.stages},
              {"time", cost.time},
              {"pipelined_time", nullptr}};
  extra_options const& uses = r.asked.algorithm->uses;
  if (uses.taps) object["taps"] = r.done.extra.taps;
  if (r.asked.pattern) object["pattern"] = *r.asked.pattern;
  if (uses.radius) object["radius"] = r.done.extra.radius;
  if (uses.tile) object["tile"] = r.done.extra.tile;
  if (uses.bins) object["bins"] = r.done.extra.bins;
  if (uses.permutation && !r.asked.input) object["permutation"] = r.asked.permutation;
  if (uses.inputs) object["inputs"] = r.done.extra.inputs;
  if (uses.inputs) object["arrangement"] = r.done.extra.by_rows ? "rows" : "columns";
  if (simulated) object["pipelined_time"] = r.found.run.pipelined_time;
  json bound = json::object();
  json formulas = json::object();
  for (auto [name, figure, formula] : r.found.limitations) {
    std::replace(name.begin(), name.end(), '-', '_');
    bound[name] = figure;
    formulas[name] = formula;
  }
  bound["time"] = r.found.lower_bound;
  object["bound"] = bound;
  object["bound_formula"] = formulas;
  object["ratio"] = nullptr;
  if (r.found.lower_bound > 0) object["ratio"] = std::round(ratio_of(r, cost) * 10000) / 10000;
  object["upper_bound"] = {{"time", r.found.upper_bound}, {"constant", r.found.constant}};
  object["closed_form"] = {{"agrees", nullptr}, {"estimate", nullptr}, {"simulated", nullptr}};
  closed_form const& estimate = r.found.estimate;
  if (estimate.known && estimate.exact())
    object["closed_form"]["estimate"] = estimate.most.time;
  else if (estimate.known)
    object["closed_form"]["estimate"] = {{"least", estimate.least.time},
                                         {"most", estimate.most.time}};
  if (estimate.of != nullptr) object["closed_form"]["of"] = estimate.of;
  object["correct"] = nullptr;
  object["races"] = nullptr;
  if (simulated) {
    if (estimate.known && estimate.of == nullptr)
      object["closed_form"]["agrees"] = r.closed_form_agrees();
    object["closed_form"]["simulated"] = cost.time;
    object["correct"] = r.found.run.result.correct;
    object["races"] = r.found.run.races;
    for (auto const& [name, value] : r.found.run.result.figures) object[name] = number_of(value);
    if (std::string const common = subsequence_of(r); !common.empty())
      object["subsequence"] = common;
  }
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<std::pair<std::string, std::string>> lines_of(report const& r) {
  mmm::cost const& cost = cost_of(r);
  bool const simulated = r.done.simulate;
  options const& o = r.asked;
  bool const square = o.algorithm->shape == problem_shape::square;
  std::vector<std::pair<std::string, std::string>> lines;
  auto const line = [&lines](char const* label, std::string const& value) {
    lines.emplace_back(label, value);
  };
  line("machine", machine_in_words(o.machine) + "; " + counted(r.done.threads, "thread"));
  bool const polygon =
      o.algorithm->shape == problem_shape::polygon || o.algorithm->shape == problem_shape::polygons;
  bool const text = o.algorithm->shape == problem_shape::text;
  bool const chain = o.algorithm->shape == problem_shape::chain;
  line("size", square    ? grouped(r.done.size) + " x " + grouped(r.done.size)
               : polygon ? grouped(r.done.size) + " vertices"
               : text    ? counted(r.done.size, "symbol")
               : chain   ? grouped(r.done.size) + (r.done.size == 1 ? " matrix" : " matrices")
                         : counted(r.done.size, "element"));
  if (o.algorithm->uses.taps) line("taps", grouped(r.done.extra.taps));
  if (o.pattern) line("pattern", tool::in_quotes(*o.pattern));
  if (o.algorithm->uses.radius) line("radius", grouped(r.done.extra.radius));
  if (o.algorithm->uses.tile) line("tile", grouped(r.done.extra.tile));
  if (o.algorithm->uses.bins) line("bins", grouped(r.done.extra.bins));
  if (o.algorithm->uses.inputs)
    line("inputs",
         grouped(r.done.extra.inputs) + (r.done.extra.by_rows ? ", by rows" : ", by columns"));
  line("input", r.input);
  line("time", grouped(cost.time));
  line("pipelined time", simulated ? grouped(r.found.run.pipelined_time) : "not simulated");
  line("rounds", grouped(cost.rounds));
  line("stages", grouped(cost.stages));
  std::string limits;
  for (auto const& [name, figure, formula] : r.found.limitations)
    limits += (limits.empty() ? "" : ", ") + name + " " + formula + " = " + grouped(figure);
  line("lower bound", grouped(r.found.lower_bound) + (limits.empty() ? "" : "  (" + limits + ")"));
  if (r.found.lower_bound > 0) {
    line("time / bound", mmm::report::detail::decimal(ratio_of(r, cost), 2));
  }
  line("upper bound", grouped(r.found.constant) + " x " + grouped(r.found.upper_bound) +
                          source_of_bound(*o.algorithm, o.machine.kind));
  line("closed form", closed_form_in_words(r));
  if (!simulated) return lines;
  line("result",
       (r.found.run.result.correct ? "correct: " : "WRONG: ") + r.found.run.result.detail);
  if (std::string const common = subsequence_of(r); !common.empty())
    line("subsequence", tool::in_quotes(common));
  line("races", r.found.run.races == 0
                    ? "none"
                    : grouped(r.found.run.races) + ", the first: " + r.found.run.first_race);
  if (o.trace) line("trace", o.trace->string());
  if (o.svg) line("picture", o.svg->string());
  return lines;
}

std::string title_of(report const& r) {
  algorithm_entry const& a = *r.asked.algorithm;
  return std::string(a.name) + ": " + a.summary + " (" + a.paper + ")";
}

std::string table_text(report const& r) {
  std::string text = title_of(r) + "\n";
  for (auto const& [label, value] : lines_of(r)) {
    char start[32];
    std::snprintf(start, sizeof start, "  %-16s", label.c_str());
    text += start + value + "\n";
  }
  return text;
}

std::string list_text(bool as_json) {
  if (as_json) {
    json all = json::array();
    for (algorithm_entry const& a : algorithms())
      all.push_back({{"algorithm", a.name},
                     {"machines", machines_of(a)},
                     {"source", a.paper},
                     {"summary", a.summary}});
    return all.dump() + "\n";
  }
  std::vector<std::array<std::string, 4>> rows{
      {"ALGORITHM", "MACHINES", "PAPER AND THEOREM", "WHAT IT DOES"}};
  for (algorithm_entry const& a : algorithms())
    rows.push_back({a.name, tool::joined(machines_of(a)), a.paper, a.summary});
  rows.push_back({"random-shift", "dmm", random_shift::paper, random_shift::summary});
  rows.push_back({"pattern", "dmm, umm, GPUs", "this library", pattern::summary});
  rows.push_back({"layout", "dmm", "this library", layout::summary});
  rows.push_back({"choose-layout", "GPUs", "this library", choose_layout::summary});
  rows.push_back({"emit", "GPUs", "this library", emit::summary});
  rows.push_back({"figure", "", "", figure::summary});
  rows.push_back({"fragment", "GPUs", "PTX ISA", "the lanes that hold an operand of mma.sync"});
  rows.push_back({"tensor-map", "GPUs", "CUDA driver API", "a box of a tensor in shared memory"});
  rows.push_back({"wgmma", "GPUs", "PTX ISA", "the descriptor of an operand in shared memory"});
  std::array<std::size_t, 4> width{};
  for (auto const& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (auto const& row : rows) {
    for (std::size_t k = 0; k + 1 < row.size(); ++k)
      text += row[k] + std::string(width[k] - row[k].size() + 2, ' ');
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace explore
