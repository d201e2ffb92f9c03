// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit_options.hpp"

#include <mmm/emit/entry_name.hpp>
#include <mmm/emit/kernel_problem.hpp>
#include <mmm/gpu/devices.hpp>

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>

#include <type_traits>

namespace explore::emit {

namespace {

using mmm::index;
using tool::failure;

//! The position of a name in a list; throws if it is not there.
std::size_t place_of(char const* option, std::string const& name,
                     std::vector<std::string> const& names) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return k;
  throw failure(std::string(option) + " is " + (name.empty() ? "missing" : tool::shortened(name)) +
                tool::suggestion(name, names) + "; accepted: " + tool::joined(names));
}

void read(char const* option, std::string const& text, index most, index& value) {
  if (text.empty()) return;
  if (!tool::read_whole(text, value) || value < 1 || value > most)
    throw failure(std::string(option) + " is " + tool::shortened(text) + "; accepted: 1 to " +
                  std::to_string(most));
}

void choose_gpu(std::string const& name, request& o) {
  static_cast<void>(place_of("--gpu", name, gpu_names()));
  mmm::gpu::for_each_device([&](char const* own, auto const& gpu) {
    using device = std::remove_cvref_t<decltype(gpu)>;
    if (name != own) return;
    o.gpu = device::facts;
    o.gpu_name = device::name;
  });
}

}  // namespace

std::vector<std::string> problem_names() {
  return {std::begin(mmm::problem_names), std::end(mmm::problem_names)};
}

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (mmm::value_type const& t : mmm::value_types) names.emplace_back(t.name);
  return names;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  mmm::gpu::for_each_device([&](char const* name, auto const& gpu) {
    if (std::remove_cvref_t<decltype(gpu)>::facts.compute_capability >= mmm::least_capability)
      names.emplace_back(name);
  });
  return names;
}

bool parse(int argc, char const* const* argv, request& o, std::string& help) {
  CLI::App app{
      "Writes the kernel with the least predicted time for a problem on a GPU, among the library's "
      "candidates: a CUDA file with extern \"C\" functions, the costs as assertions, the "
      "prediction "
      "as a comment and, with -DTEST, a program that compares the result with a plain loop."};
  std::string problem, gpu, size, type = "float", taps, radius, file, space = "known";
  auto const problems = problem_names();
  app.name("mmm-explore emit");
  app.add_option("PROBLEM", problem, tool::joined(problems))->required();
  auto const add = [&app](char const* name, std::string& to, char const* text,
                          std::string const& description) {
    app.add_option(name, to, description)->type_name(text);
  };
  add("--gpu", gpu, "NAME", tool::joined(gpu_names()));
  add("--size", size, "N",
      "values of a sequence, outputs of a convolution, or the side of matrices and images "
      "(default: 1048576, or a side of 1024)");
  add("--type", type, "TYPE", "of the values: " + tool::joined(type_names()) + " (default: float)");
  add("--taps", taps, "M", "convolution: 1 to 4096 (default: 32)");
  add("--radius", radius, "V", "image-convolution: 1 to 4 (default: 1)");
  add("--space", space, "SPACE",
      "candidates: known, or wide, with further tiles and launches of transposes and "
      "convolutions (default: known)");
  add("--name", o.name, "NAME",
      "of the function (default: mmm_, the problem and the type, as mmm_sum_float)");
  add("-o,--output", file, "FILE.cu", "the file to write (default: it is printed)");
  app.add_flag("--json", o.as_json,
               "print one JSON object: the choice, its costs, all candidates and, without "
               "--output, the source");
  app.footer("Exit status: 0; 2 if an option cannot be used.");
  if (!tool::parse(app, argc, argv, help)) return false;
  tool::demand_values(app);
  mmm::kernel_problem& p = o.problem;
  p.kind = static_cast<mmm::problem_kind>(place_of("PROBLEM", problem, problems));
  p.type = mmm::value_types[place_of("--type", type, type_names())];
  p.wide = place_of("--space", space, {"known", "wide"}) == 1;
  p.size = p.has_sides() ? 1024 : 1048576;
  read("--size", size, p.max_size(), p.size);
  auto const only_for = [&](char const* option, std::string const& text, mmm::problem_kind kind) {
    if (!text.empty() && p.kind != kind)
      throw failure(std::string(option) + " is given, but it is for " +
                    mmm::problem_names[static_cast<int>(kind)]);
  };
  only_for("--taps", taps, mmm::problem_kind::convolutions);
  only_for("--radius", radius, mmm::problem_kind::image_convolutions);
  read("--taps", taps, mmm::kernel_problem::max_taps, p.taps);
  read("--radius", radius, mmm::kernel_problem::max_radius, p.radius);
  if (!o.name.empty() && !mmm::detail::is_entry_name(o.name))
    throw failure("--name is " + tool::shortened(o.name) +
                  "; accepted: " + mmm::detail::accepted_entry_names);
  choose_gpu(gpu, o);
  if (!file.empty()) o.file = file;
  std::string const name = o.file ? o.file->filename().string() : "";
  if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") !=
      std::string::npos)
    throw failure("--output is " + tool::shown_path(file) +
                  "; accepted: a file name of letters, digits, _, - and .");
  return true;
}

}  // namespace explore::emit
