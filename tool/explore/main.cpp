// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-explore: an algorithm on the model of a memory machine, chosen at run time.
#include "answer.hpp"
#include "choose_layout.hpp"
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

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using tool::failure;

constexpr int all_well = 0;
constexpr int check_failed = 1;
constexpr int not_accepted = 2;

//! Refuses to write two things to one file, or over the input.
void demand_different_files(explore::options const& o) {
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
failure too_large(explore::options const& o, explore::task const& task, std::string_view overflow) {
  std::string text = "--size " + std::to_string(task.size);
  auto const add = [&](bool used, char const* option, explore::index value) {
    if (used) text += std::string(", ") + option + ' ' + std::to_string(value);
  };
  explore::extra_options const& used = o.algorithm->uses;
  add(used.inputs, "--inputs", task.extra.inputs);
  add(used.taps, "--taps", task.extra.taps);
  add(used.radius, "--radius", task.extra.radius);
  add(used.bins, "--bins", task.extra.bins);
  add(true, "--threads", task.threads);
  add(o.machine.latency > 1, "--latency", o.machine.latency);
  return failure("too large together: " + text + " (" + std::string(overflow) +
                 "); accepted: numbers with which words, stages and time units are below 2^63");
}

//! The option that a capacity comes from.
std::string capacity_of(explore::options const& o) {
  return o.capacity_from_gpu ? std::string("--machine ") + o.machine.gpu
                             : "--capacity " + std::to_string(o.machine.capacity);
}

void print(std::string const& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw failure("the output cannot be written");
}

int run(int argc, char const* const* argv) {
  struct named_command {
    std::string_view name;
    std::function<explore::answer(int argc, char const* const* argv)> run;
  } const commands[] = {{"pattern", explore::pattern::run},
                        {"layout", explore::layout::run},
                        {"choose-layout", explore::choose_layout::run},
                        {"random-shift", explore::random_shift::run},
                        {"figure", explore::figure::run},
                        {"fragment", explore::tensor_cores::fragment},
                        {"tensor-map", explore::tensor_cores::tensor_map},
                        {"wgmma", explore::tensor_cores::wgmma}};
  for (named_command const& c : commands)
    if (argc > 1 && argv[1] == c.name) {
      explore::answer const given = c.run(argc - 1, argv + 1);
      print(given.text);
      return given.valid ? all_well : check_failed;
    }
  explore::options asked;
  std::string help;
  switch (explore::parse(argc, argv, asked, help)) {
    case explore::request::help:
      print(help);
      return all_well;
    case explore::request::list:
      print(explore::list_text());
      return all_well;
    case explore::request::run:
      break;
  }
  demand_different_files(asked);
  explore::task task;
  std::string const input = explore::prepare_input(asked, task);
  tool::output_file trace("--trace", asked.trace);
  tool::output_file svg("--svg", asked.svg);
  tool::output_file schedule("--schedule", asked.schedule);
  tool::output_file html("--html", asked.html);

  std::string const schedule_picture =
      asked.schedule
          ? explore::schedule_picture_of(asked.machine, task.words,
                                         std::string(asked.algorithm->name) + ": " + input)
          : "";
  explore::outcome const found = [&] {
    explore::progress const shown(std::string(asked.algorithm->name) + ", size " +
                                  std::to_string(task.size) + ", " + std::to_string(task.threads) +
                                  " threads");
    try {
      return asked.algorithm->run(asked.machine, task);
    } catch (std::overflow_error const& e) {
      throw too_large(asked, task, tool::message_of(e));
    } catch (std::length_error const& e) {
      if (!asked.capacity_given) throw;
      throw failure(capacity_of(asked) + " is too small: " + tool::message_of(e) +
                    "; accepted: a larger one");
    }
  }();

  trace.write([&](std::ofstream& out) { found.run.trace.write_csv(out); });
  svg.write([&](std::ofstream& out) {
    out << explore::picture_of(asked.machine, found.run.trace, asked.algorithm->name);
  });
  schedule.write([&](std::ofstream& out) { out << schedule_picture; });
  explore::report const report{asked, task, found, input};
  html.write([&](std::ofstream& out) { out << explore::page_of(report); });
  for (std::string const& note : asked.notes)
    std::fprintf(stderr, "mmm-explore: note: %s\n", note.c_str());
  print(asked.json ? json_text(report) : table_text(report));
  return report.passed() ? all_well : check_failed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (std::bad_alloc const&) {
    std::fprintf(stderr, "mmm-explore: there is not enough memory for this size\n");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm-explore: %s\n", tool::message_of(e));
  }
  return not_accepted;
}
