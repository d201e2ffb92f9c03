// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rounds.hpp"

#include <mmm/report/trace_rounds.hpp>

#include "stages.hpp"

#include <common/failure.hpp>
#include <explore/algorithm_entry.hpp>
#include <explore/machine_choice.hpp>

#include <array>

namespace playground {

namespace {

using explore::machine_kind;
using explore::problem_shape;
using mmm::index;
using tool::failure;

constexpr index max_words = 256;  // of the input: a picture with more cells cannot be read
constexpr index max_side = 16;
constexpr index max_width = 32;
constexpr index max_latency = 100;
constexpr index max_threads = 64;
constexpr index max_rounds = 1000;

std::array<explore::algorithm_entry, 8> const& algorithms() {
  static std::array<explore::algorithm_entry, 8> const all{
      explore::sum(),
      explore::prefix_sums(),
      explore::prefix_sums_simple(),
      explore::sort(),
      explore::transpose_straightforward(),
      explore::transpose_diagonal(),
      explore::transpose_rotating(),
      explore::contiguous(),
  };
  return all;
}

struct named_kind {
  char const* name;
  machine_kind kind;
};
constexpr std::array<named_kind, 2> machines{
    {{"dmm", machine_kind::dmm}, {"umm", machine_kind::umm}}};

explore::algorithm_entry const& algorithm_named(std::string const& name) {
  std::string names;
  for (explore::algorithm_entry const& a : algorithms()) {
    if (name == a.name) return a;
    names += (names.empty() ? "" : ", ") + std::string(a.name);
  }
  throw failure("the algorithm is " + name + "; accepted: " + names);
}

index number(json const& asked, char const* name, index most) {
  auto const found = asked.find(name);
  if (found == asked.end() || !found->is_number_integer() || found->get<index>() < 1 ||
      found->get<index>() > most)
    throw failure(std::string(name) + " is " + (found == asked.end() ? "missing" : found->dump()) +
                  "; accepted: a whole number from 1 to " + std::to_string(most));
  return found->get<index>();
}

json rounds_json(explore::machine_choice const& choice, mmm::trace const& trace) {
  auto rounds = json::array();
  constexpr auto flat = [](auto kind) {
    return boost::hana::bool_c < kind.key == machine_kind::dmm || kind.key == machine_kind::umm > ;
  };
  explore::with_machine(choice, flat, [&](auto const& machine) {
    for (auto const& round : mmm::report::detail::rounds_of(machine, trace, max_rounds)) {
      auto stages = json::array();
      for (auto const& part : round.parts)
        for (auto const& stage : part.stages)
          stages.push_back({{"warp", stage.warp}, {"words", words_of(stage.words)}});
      rounds.push_back({{"begin", round.begin}, {"time", round.time}, {"stages", stages}});
    }
  });
  return rounds;
}

}  // namespace

json algorithm_list() {
  auto list = json::array();
  for (explore::algorithm_entry const& a : algorithms()) {
    auto on = json::array();
    for (named_kind const& m : machines)
      if (a.runs_on(m.kind)) on.push_back(m.name);
    list.push_back({{"name", a.name},
                    {"summary", a.summary},
                    {"paper", a.paper},
                    {"machines", on},
                    {"square", a.shape == problem_shape::square}});
  }
  return list;
}

json rounds_of(json const& asked) {
  explore::algorithm_entry const& a = algorithm_named(asked.value("algorithm", ""));
  std::string const kind = asked.value("machine", "dmm");
  explore::machine_choice choice;
  std::string names;
  bool found = false;
  for (named_kind const& m : machines) {
    if (!a.runs_on(m.kind)) continue;
    names += (names.empty() ? "" : ", ") + std::string(m.name);
    if (kind != m.name) continue;
    choice.kind = m.kind;
    found = true;
  }
  if (!found) throw failure("the machine is " + kind + "; accepted for " + a.name + ": " + names);
  choice.width = number(asked, "width", max_width);
  choice.latency = number(asked, "latency", max_latency);
  explore::task task;
  task.threads = number(asked, "threads", max_threads);
  bool const square = a.shape == problem_shape::square;
  task.size = number(asked, "size", square ? max_side : max_words);
  task.keep_trace = true;
  for (index k = 0; k < (square ? task.size * task.size : task.size); ++k)
    task.words.push_back(static_cast<double>(k + 1));

  explore::outcome const result = a.run(choice, task);
  return {{"rounds", rounds_json(choice, result.run.trace)},
          {"stages", result.run.cost.stages},
          {"time", result.run.cost.time},
          {"lower_bound", result.lower_bound},
          {"races", result.run.races},
          {"correct", result.run.result.correct}};
}

}  // namespace playground
