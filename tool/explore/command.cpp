// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.hpp"

#include "choose_layout.hpp"
#include "cluster/command.hpp"
#include "emit.hpp"
#include "figure.hpp"
#include "input.hpp"
#include "layout.hpp"
#include "options.hpp"
#include "pattern/pattern.hpp"
#include "picture.hpp"
#include "printing.hpp"
#include "progress.hpp"
#include "random_shift.hpp"
#include "tensor_cores.hpp"

#include <common/failure.hpp>
#include <common/output_file.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace explore {

namespace {

namespace fs = std::filesystem;
using tool::failure;

//! Refuses to write two things to one file, or over the input.
void demand_different_files(options const& o) {
  struct named {
    char const* option;
    std::optional<fs::path> const& file;
  } const files[] = {{"--input", o.input},
                     {"--trace", o.trace},
                     {"--svg", o.svg},
                     {"--schedule", o.schedule},
                     {"--html", o.html}};
  for (named const& a : files)
    for (named const& b : files) {
      if (&a >= &b || !a.file || !b.file) continue;
      std::error_code ignored;
      bool const device = fs::exists(*b.file, ignored) && !fs::is_regular_file(*b.file, ignored);
      if (!device && (*a.file == *b.file || fs::equivalent(*a.file, *b.file, ignored)))
        throw failure(std::string(a.option) + " and " + b.option + " are the same file, " +
                      b.file->string());
    }
}

//! The overflow of a figure as a message that names the options it grows with.
failure too_large(options const& o, task const& done, std::string_view overflow) {
  std::string text = "--size " + std::to_string(done.size);
  auto const add = [&](bool used, char const* option, index value) {
    if (used) text += std::string(", ") + option + ' ' + std::to_string(value);
  };
  extra_options const& used = o.algorithm->uses;
  add(used.inputs, "--inputs", done.extra.inputs);
  add(used.taps, "--taps", done.extra.taps);
  add(used.radius, "--radius", done.extra.radius);
  add(used.bins, "--bins", done.extra.bins);
  add(true, "--threads", done.threads);
  add(o.machine.latency > 1, "--latency", o.machine.latency);
  return failure("too large together: " + text + " (" + std::string(overflow) +
                 "); accepted: numbers with which words, stages and time units are below 2^63");
}

//! The option that a capacity comes from.
std::string capacity_of(options const& o) {
  return o.capacity_from_gpu ? std::string("--machine ") + o.machine.gpu
                             : "--capacity " + std::to_string(o.machine.capacity);
}

//! The lack of shared memory as a message that names the option.
failure too_small(options const& o, std::length_error const& e) {
  return failure(o.capacity_given ? capacity_of(o) + " is too small: " + tool::message_of(e) +
                                        "; accepted: a larger one"
                                  : tool::message_of(e));
}

//! The answer of `cluster::run`.
answer run_on_nodes(options& o, task const& done, std::string const& input) try {
  answer given = cluster::run(o, done, input);
  given.notes = std::move(o.notes);
  return given;
} catch (std::length_error const& e) {
  throw too_small(o, e);
}

}  // namespace

answer run(int argc, char const* const* argv) {
  struct named_command {
    std::string_view name;
    std::function<answer(int argc, char const* const* argv)> run;
  } const commands[] = {{"pattern", pattern::run},
                        {"layout", layout::run},
                        {"choose-layout", choose_layout::run},
                        {"emit", emit::run},
                        {"random-shift", random_shift::run},
                        {"figure", figure::run},
                        {"fragment", tensor_cores::fragment},
                        {"tensor-map", tensor_cores::tensor_map},
                        {"wgmma", tensor_cores::wgmma}};
  for (named_command const& c : commands)
    if (argc > 1 && argv[1] == c.name) return c.run(argc - 1, argv + 1);
  options asked;
  std::string help;
  switch (parse(argc, argv, asked, help)) {
    case request::help:
      return help;
    case request::list:
      return list_text(asked.json);
    case request::run:
      break;
  }
  demand_different_files(asked);
  task done;
  std::string const input = prepare_input(asked, done);
  if (asked.network) return run_on_nodes(asked, done, input);
  tool::output_file trace("--trace", asked.trace);
  tool::output_file svg("--svg", asked.svg);
  tool::output_file schedule("--schedule", asked.schedule);
  tool::output_file html("--html", asked.html);

  std::string const schedule_picture =
      asked.schedule ? schedule_picture_of(asked.machine, done.words,
                                           std::string(asked.algorithm->name) + ": " + input)
                     : "";
  outcome const found = [&] {
    progress const watched(std::string(asked.algorithm->name) + ", size " +
                           std::to_string(done.size) + ", " + std::to_string(done.threads) +
                           " threads");
    try {
      return asked.algorithm->run(asked.machine, done);
    } catch (std::overflow_error const& e) {
      throw too_large(asked, done, tool::message_of(e));
    } catch (std::length_error const& e) {
      throw too_small(asked, e);
    }
  }();

  trace.write([&](std::ofstream& out) { found.run.trace.write_csv(out); });
  svg.write([&](std::ofstream& out) {
    out << picture_of(asked.machine, found.run.trace, asked.algorithm->name);
  });
  schedule.write([&](std::ofstream& out) { out << schedule_picture; });
  report const shown{asked, done, found, input};
  html.write([&](std::ofstream& out) { out << page_of(shown); });
  answer given(asked.json ? json_text(shown) : table_text(shown), shown.passed());
  given.notes = std::move(asked.notes);
  return given;
}
}  // namespace explore
