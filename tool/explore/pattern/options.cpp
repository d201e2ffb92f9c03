// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <mmm/gpu/devices.hpp>

#include "../machine_choice.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>

#include <algorithm>
#include <cctype>
#include <vector>

namespace explore::pattern {

namespace {

using tool::failure;
using tool::in_quotes;

constexpr index max_items = index{1} << 40;
constexpr index wide_since = 100;  // the compute capability whose lanes access 32 bytes at once

[[noreturn]] void reject(std::string const& option, std::string const& value,
                         std::string const& accepted) {
  throw failure(option + " is " + value + "; accepted: " + accepted);
}

//! The GPUs of this compute capability and later; from 5.0 on the library has rules for requests.
std::vector<std::string> gpus(index capability = 50) {
  std::vector<std::string> names;
  mmm::gpu::for_each_device([&](char const* name, auto const& gpu) {
    if (std::remove_cvref_t<decltype(gpu)>::facts.compute_capability >= capability)
      names.emplace_back(name);
  });
  return names;
}
//! The names that --machine accepts.
std::vector<std::string> memories() {
  std::vector<std::string> names{"dmm", "umm"};
  for (std::string& gpu : gpus()) names.push_back(std::move(gpu));
  return names;
}
bool is_gpu(std::string const& name, index capability = 50) {
  std::vector<std::string> const all = gpus(capability);
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::string bytes_accepted() {
  return "1, 2, 4, 8 or 16, or 32 in the global memory of " + tool::joined(gpus(wide_since));
}

index number(std::string const& option, std::string const& text, index least, index most) {
  index value = 0;
  if (!tool::read_whole(text, value) || value < least || value > most)
    reject(option, text.empty() ? "empty" : tool::shortened(text),
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

//! `NAME=VALUE`.
void read_name(std::string const& given, names& known) {
  auto const refuse = [&] {
    reject(
        "--let", in_quotes(given),
        "NAME=VALUE with a name of letters, digits and _, not i, item, lane, none, min or max, and "
        "a whole number");
  };
  std::size_t const equal = given.find('=');
  if (equal == std::string::npos || equal == 0) refuse();
  std::string const name = given.substr(0, equal);
  std::string value = given.substr(equal + 1);
  bool const negative = value.starts_with('-');
  if (negative) value.erase(0, 1);
  bool const hexadecimal = value.starts_with("0x") || value.starts_with("0X");
  index found = 0;
  bool const octal = value.size() > 1 && value[0] == '0' && !hexadecimal;
  if (!is_name(name) || octal || !tool::read_whole(value, found, hexadecimal ? 16 : 10)) refuse();
  if (!known.emplace(name, negative ? -found : found).second)
    throw failure("--let gives " + name + " twice");
}

bool is_option(std::string const& argument) {
  return argument == "-h" || (argument.starts_with("--") && argument.size() > 2 &&
                              std::islower(static_cast<unsigned char>(argument[2])) != 0);
}

struct written {
  std::string pattern, machine, width, gpu, space, op, bytes, size, threads, svg, html;
  std::vector<std::string> lets, for_all;
  bool json = false;
};

void read_memory(written const& w, options& o) {
  std::string gpu = w.gpu;
  if (is_gpu(w.machine)) {
    if (!gpu.empty() && gpu != w.machine)
      throw failure("--machine is " + w.machine + " and --gpu is " + gpu + ": one of them will do");
    gpu = w.machine;
  } else if (!w.machine.empty()) {
    if (w.machine != "dmm" && w.machine != "umm")
      throw tool::no_such_name("--machine", w.machine, memories());
    if (!gpu.empty())
      throw failure("--machine is " + w.machine + " and --gpu is " + gpu +
                    ": a pattern is on one of them");
    o.where = w.machine == "dmm" ? memory::dmm : memory::umm;
  }
  auto const only = [](bool applies, char const* option, std::string const& value,
                       char const* what) {
    if (!applies && !value.empty())
      throw failure(std::string(option) + " is given, but it is for " + what);
  };
  only(gpu.empty(), "--width", w.width, "--machine dmm and umm: a GPU has 32 banks");
  only(!gpu.empty(), "--space", w.space, "GPUs (--gpu)");
  only(!gpu.empty(), "--op", w.op, "GPUs (--gpu)");
  only(!gpu.empty(), "--bytes", w.bytes, "GPUs (--gpu)");
  if (gpu.empty()) {
    if (!w.width.empty()) o.width = number("--width", w.width, 1, max_width);
    return;
  }
  if (!is_gpu(gpu)) throw tool::no_such_name("--gpu", gpu, gpus());
  o.gpu = gpu;
  if (!w.space.empty() && w.space != "shared" && w.space != "global")
    throw tool::no_such_name("--space", w.space, {"shared", "global"});
  o.where = w.space == "global" ? memory::gpu_global : memory::gpu_shared;
  if (!w.op.empty() && w.op != "load" && w.op != "store")
    throw tool::no_such_name("--op", w.op, {"load", "store"});
  o.store = w.op == "store";
  if (!w.bytes.empty()) {
    index value = 0;
    if (!tool::read_whole(w.bytes, value) ||
        (value != 1 && value != 2 && value != 4 && value != 8 && value != 16 &&
         !(value == 32 && o.where == memory::gpu_global && is_gpu(gpu, wide_since))))
      reject("--bytes", tool::shortened(w.bytes), bytes_accepted());
    o.bytes = static_cast<int>(value);
  }
}

}  // namespace

bool is_name(std::string const& text) {
  bool good = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
  for (char const c : text)
    good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  return good && !is_reserved(text);
}

bool parse_options(int argc, char const* const* argv, options& o, std::string& help) {
  CLI::App app{"The cost of an access whose addresses are an index expression: stages, the lanes "
               "that collide, the padding or swizzle that costs least.\n"
               "EXPRESSION is the address of item i in C syntax: words on a dmm or umm, bytes on a "
               "GPU. The item is called i or item, that of a single warp also lane. Operators: + - "
               "* / % << >> & | ^ ~, comparisons, && || !, ?:, min(x, y), "
               "max(x, y); none is the address of an item that accesses nothing."};
  written w;
  app.name("mmm-explore pattern");
  auto const add = [&app](char const* name, std::string& to, char const* type,
                          std::string const& description) {
    return app.add_option(name, to, description)->type_name(type);
  };
  add("--machine", w.machine, "KIND",
      "dmm, umm or a GPU: " + tool::joined(gpus()) + " (default: dmm)");
  add("--width", w.width, "W",
      "dmm, umm: banks, and lanes of a warp: 1 to " + std::to_string(max_width) + " (default: 32)");
  add("--gpu", w.gpu, "NAME", "the same as --machine with a GPU's name");
  add("--space", w.space, "SPACE", "GPUs: shared or global (default: shared)");
  add("--op", w.op, "OP", "GPUs: load or store (default: load)");
  add("--bytes", w.bytes, "B",
      "GPUs: bytes of an access: " + bytes_accepted() +
          " (default: 4); where it was measured, on v100, "
          "a100, h100 and h200, pairs of lanes of loads of 8 and 16 bytes that share addresses are "
          "served together");
  app.add_option("--let", w.lets, "a name for a number, used in the expression; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option(
         "--for-all", w.for_all,
         "decide for all values of a name whether one warp has conflicts, and give a "
         "counterexample: odd, even, every, multiples-of-K or FIRST..LAST; up to three times, "
         "for all combinations of values")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  add("--size", w.size, "N", "items (default: one warp)");
  add("--threads", w.threads, "P",
      "dmm, umm: threads, to which the items are assigned (default: one for each item)");
  add("--svg", w.svg, "FILE.svg", "draw the warp that takes longest");
  add("--html", w.html, "FILE.html", "write figures and picture as a page");
  app.add_flag("--json", w.json, "print one JSON object");
  app.footer("Exit status: 0; 2 if an option or the expression cannot be used.");
  // An expression may begin with a sign; as the first argument it is no option.
  if (argc > 1 && !is_option(argv[1])) {
    w.pattern = *++argv;
    --argc;
  } else {
    app.add_option("EXPRESSION", w.pattern, "see above")->required();
  }
  if (!tool::parse(app, argc, argv, help)) return false;
  tool::demand_values(app);
  if (w.pattern.empty()) reject("EXPRESSION", "empty", "an expression in C syntax");
  o.text = w.pattern;
  for (std::string const& given : w.lets) read_name(given, o.known);
  read_memory(w, o);
  o.items = w.size.empty() ? (o.on_gpu() ? 32 : o.width) : number("--size", w.size, 0, max_items);
  if (o.on_gpu() && !w.threads.empty())
    throw failure("--threads is given, but it is for --machine dmm and umm");
  o.threads = w.threads.empty() ? std::max<index>(1, o.items)
                                : number("--threads", w.threads, 1, max_items);
  o.threads_given = !w.threads.empty();
  if (!w.svg.empty()) o.svg = w.svg;
  if (!w.html.empty()) o.html = w.html;
  o.json = w.json;
  if (w.for_all.empty()) return true;
  if (o.svg || o.html) throw failure("--for-all is given with --svg or --html: it draws nothing");
  o.for_all = w.for_all;
  return true;
}

}  // namespace explore::pattern
