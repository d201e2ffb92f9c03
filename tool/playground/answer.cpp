// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "answer.hpp"

#include <mmm/gpu/devices.hpp>

#include "assertion.hpp"
#include "rounds.hpp"
#include "stages.hpp"

#include <common/failure.hpp>
#include <explore/emit_options.hpp>
#include <explore/pattern/json.hpp>
#include <explore/pattern/picture.hpp>

#include <algorithm>
#include <exception>
#include <vector>

namespace playground {

namespace {

namespace pattern = explore::pattern;
using mmm::index;

constexpr index max_items = index{1} << 20;  // more would keep the page waiting

//! Reads an expression and options, as if they stood on the command line of mmm-explore.
pattern::options options_of(std::string const& expression, json const& arguments) {
  std::vector<std::string> all{"pattern", expression};
  for (json const& argument : arguments) all.push_back(argument.get<std::string>());
  std::vector<char const*> argv;
  for (std::string const& argument : all) argv.push_back(argument.c_str());
  pattern::options o;
  std::string help;
  if (!pattern::parse_options(static_cast<int>(argv.size()), argv.data(), o, help))
    throw tool::failure("the arguments ask for help");
  if (o.items > max_items)
    throw tool::failure("--size is " + std::to_string(o.items) + "; accepted here: 0 to " +
                        std::to_string(max_items));
  return o;
}

json stages_json(pattern::options const& o, pattern::figures const& f) {
  auto stages = json::array();
  for (mmm::report::request const& request : pattern::requests_of(o, f))
    for (auto const& stage :
         mmm::report::detail::stages_of(request.conflicts, request.width, request.lanes))
      stages.push_back({{"part", request.title}, {"words", words_of(stage)}});
  return stages;
}

json about_pattern(json const& asked) {
  pattern::options const o = options_of(asked.at("pattern"), asked.at("arguments"));
  pattern::addresses const of = pattern::parse(o.text, o.known, o.one_warp());
  pattern::figures const f = pattern::figures_of(o, of);
  auto rows = json::array();
  for (auto const& [name, value] : pattern::rows_of(o, f)) rows.push_back({name, value});
  assertion const code = assertion_of(o, of, f);
  return {{"title", pattern::title_of(o)},
          {"figures", pattern::json_object(o, f)},
          {"rows", rows},
          {"text", pattern::drawn_text(o, f)},
          {"columns", o.where == pattern::memory::gpu_global ? 8
                      : o.on_gpu()                           ? 32
                                                             : o.width},
          {"banks", o.has_banks()},
          {"takes", f.takes},
          {"least", f.least},
          {"stages", stages_json(o, f)},
          {"assertion", {{"code", code.code}, {"reason", code.reason}}}};
}

json costs(json const& asked) {
  auto takes = json::array();
  for (json const& text : asked.at("patterns")) {
    pattern::options const o = options_of(text, asked.at("arguments"));
    takes.push_back(pattern::plain_figures(o, pattern::parse(o.text, o.known, o.one_warp())).takes);
  }
  return {{"takes", takes}};
}

json choices() {
  auto gpus = json::array();
  auto gpus_of_kernels = json::array();
  auto const of_kernels = explore::emit::gpu_names();
  mmm::gpu::for_each_device([&](char const* name, auto const& gpu) {
    using device = std::remove_cvref_t<decltype(gpu)>;
    json const entry = {{"name", name}, {"title", std::string(device::name)}};
    // those that `mmm-explore pattern` accepts
    if (device::facts.compute_capability >= 50) gpus.push_back(entry);
    if (std::find(of_kernels.begin(), of_kernels.end(), name) != of_kernels.end())
      gpus_of_kernels.push_back(entry);
  });
  json const kernels = {{"problems", explore::emit::problem_names()},
                        {"gpus", gpus_of_kernels},
                        {"types", explore::emit::type_names()}};
  return {{"gpus", gpus}, {"algorithms", algorithm_list()}, {"kernels", kernels}};
}

}  // namespace

std::string answer(std::string const& question) {
  try {
    json const asked = json::parse(question);
    std::string const what = asked.at("ask");
    if (what == "choices") return choices().dump();
    if (what == "pattern") return about_pattern(asked).dump();
    if (what == "costs") return costs(asked).dump();
    if (what == "rounds") return rounds_of(asked).dump();
    throw tool::failure("ask is " + what + "; accepted: choices, pattern, costs, rounds");
  } catch (std::exception const& e) {
    return json{{"error", e.what()}}.dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

}  // namespace playground
