// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <mmm/gpu/devices.hpp>

#include "cluster/network_options.hpp"
#include "permutations.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/file.hpp>
#include <common/image.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>
#include <common/version.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace explore {

namespace {

using tool::failure;
using tool::in_quotes;

constexpr std::array<index, 2> default_latency{1, 400};  // of a DMM, of a UMM or a global memory
constexpr index default_dmms = 16;
constexpr index default_cluster = 4;
constexpr index default_peer_latency = 30;
constexpr index default_threads_per_dmm = 128;
constexpr index default_threads = 1024;

struct kind_facts {
  char const* name;
  bool has_width, has_latency, has_ports, has_dmms;
};

kind_facts facts_of(machine_kind wanted) {
  kind_facts facts{};
  hana::for_each(kinds, [&](auto kind) {
    if (kind.key == wanted)
      facts = {kind.name, kind.has_width, kind.has_latency, kind.has_ports, kind.has_dmms};
  });
  return facts;
}

[[noreturn]] void reject(std::string const& option, std::string const& value,
                         std::string const& accepted) {
  throw failure(option + " is " + value + "; accepted: " + accepted);
}

//! The largest number of a range that is named without "a whole number".
constexpr index max_listed = 1000;

//! A number from `least` to `most`.
index number(std::string const& option, std::string const& text, index least,
             index most = INT64_MAX) {
  index value = 0;
  if (!tool::read_whole(text, value) || value < least || value > most)
    reject(option, text.empty() ? "empty" : tool::shortened(text),
           (most > max_listed ? "a whole number from " : "") + std::to_string(least) + " to " +
               std::to_string(most));
  return value;
}

//! The largest size whose words 64 bits count: of a square, of its sides.
index max_size(problem_shape shape) {
  switch (shape) {
    case problem_shape::square:
    case problem_shape::polygon:
    case problem_shape::polygons:
      return 3000000000;
    case problem_shape::chain:
      return INT64_MAX - 1;
    default:
      return INT64_MAX;
  }
}

//! The options as they were written.
struct written {
  std::string algorithm, machine, width, latency, shared_latency, dmms, cluster, peer_latency,
      capacity, ports, threads, size, taps, pattern, radius, tile, bins, inputs, arrangement,
      permutation, input, seed, trace, svg, schedule, html;
  cluster::written_network network;
  bool json = false, list = false, no_simulate = false;
};

//! The first arguments that are accepted: the algorithms, and what main() has besides them.
std::vector<std::string> first_words() {
  std::vector<std::string> names;
  for (algorithm_entry const& a : algorithms()) names.emplace_back(a.name);
  names.insert(names.end(), {"pattern", "layout", "choose-layout", "emit", "random-shift", "figure",
                             "fragment", "tensor-map", "wgmma"});
  return names;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  mmm::gpu::for_each_device([&](char const* name, auto const&) { names.emplace_back(name); });
  return names;
}

//! The GPU of this name as a machine that the algorithm runs on: all of it, a shared memory, or the
//! global memory. False if there is none of this name.
bool choose_gpu(std::string const& name, algorithm_entry const& a, machine_choice& m) {
  mmm::gpu::for_each_device([&](char const* own, auto const& gpu) {
    if (name != own) return;
    m.gpu = own;
    m.width = gpu.width();
    m.dmms = gpu.dmms();
    m.capacity = gpu.capacity();
    m.ports = gpu.global().ports();
    m.shared_latency = gpu.shared().latency();
    m.latency = gpu.global().latency();
    m.kind = a.runs_on(machine_kind::clusters) ? machine_kind::clusters
             : a.runs_on(machine_kind::hmm)    ? machine_kind::hmm
             : a.runs_on(machine_kind::dmm)    ? machine_kind::dmm
                                               : machine_kind::umm;
    if (m.kind == machine_kind::dmm) m.latency = m.shared_latency;
    if (!is_hmm(m.kind)) m.dmms = 1;
  });
  return m.gpu != nullptr;
}

machine_kind kind_named(std::string const& name) {
  std::optional<machine_kind> found;
  std::vector<std::string> names;
  hana::for_each(kinds, [&](auto kind) {
    if (kind.key == machine_kind::clusters) return;  // an hmm, too
    if (name == kind.name) found = kind.key;
    names.emplace_back(kind.name);
  });
  if (found) return *found;
  for (std::string& gpu : gpu_names()) names.push_back(std::move(gpu));
  throw tool::no_such_name("--machine", name, names);
}

//! The DMM if the algorithm runs on it, otherwise the first kind it runs on.
machine_kind default_kind(algorithm_entry const& a) {
  for (machine_kind kind : {machine_kind::dmm, machine_kind::umm, machine_kind::hmm,
                            machine_kind::clusters, machine_kind::bpram})
    if (a.runs_on(kind)) return kind;
  return machine_kind::pram;
}

void read_extra(std::string const& option, std::string const& text, bool used,
                algorithm_entry const& a, index least, index& value) {
  if (text.empty()) return;
  value = number(option, text, least);
  if (!used) throw failure(option + " is given, but " + a.name + " does not use it");
}

void read_arrangement(std::string const& text, options& o) {
  if (text.empty()) return;
  if (text != "columns" && text != "rows")
    throw tool::no_such_name("--arrangement", text, {"columns", "rows"});
  if (!o.algorithm->uses.inputs)
    throw failure(std::string("--arrangement is given, but ") + o.algorithm->name +
                  " does not use it");
  o.extra.by_rows = text == "rows";
}

//! The pattern's symbols, in place of --taps of them.
void read_pattern(written const& w, options& o) {
  if (w.pattern.empty()) return;
  if (o.algorithm->shape != problem_shape::text)
    throw failure(std::string("--pattern is given, but ") + o.algorithm->name + " does not use it");
  if (!w.taps.empty()) throw failure("--pattern and --taps exclude each other");
  if (w.input.empty())
    throw failure("--pattern is given without --input; accepted: with the file of a text");
  for (char const c : w.pattern) {
    if (static_cast<unsigned char>(c) >= 128)
      throw failure("--pattern has letters that are not ASCII; accepted: ASCII");
    o.extra.pattern.push_back(static_cast<unsigned char>(c));
  }
  o.extra.taps = static_cast<index>(w.pattern.size());
  o.pattern = w.pattern;
}

void read_machine(written const& w, options& o) {
  machine_choice& m = o.machine;
  algorithm_entry const& a = *o.algorithm;
  bool const gpu = choose_gpu(w.machine, a, m);
  if (!gpu) m.kind = w.machine.empty() ? default_kind(a) : kind_named(w.machine);
  bool const clusters = is_hmm(m.kind) && a.runs_on(machine_kind::clusters);
  if (clusters) m.kind = machine_kind::clusters;
  kind_facts const facts = facts_of(m.kind);
  if (!a.runs_on(m.kind))
    reject("--machine", in_quotes(facts.name), tool::joined(machines_of(a)) + " for " + a.name);

  bool const hmm = is_hmm(m.kind);
  if (!gpu) {
    m.latency = default_latency[m.kind == machine_kind::dmm ? 0 : 1];
    m.dmms = hmm ? default_dmms : 1;
  }
  auto const read = [&](char const* option, std::string const& text, index& value, bool used,
                        index most = INT64_MAX) {
    if (text.empty()) return;
    value = number(option, text, 1, most);
    if (!used)
      o.notes.push_back(std::string(option) + " does not matter: a " + facts.name +
                        " has no such parameter");
  };
  read("--width", w.width, m.width, facts.has_width, max_width);
  read("--latency", w.latency, m.latency, facts.has_latency);
  read("--shared-latency", w.shared_latency, m.shared_latency, facts.has_dmms);
  read("--dmms", w.dmms, m.dmms, facts.has_dmms);
  read("--capacity", w.capacity, m.capacity, facts.has_dmms);
  read("--ports", w.ports, m.ports, facts.has_ports);
  if (clusters) {
    m.cluster = default_cluster;
    m.peer_latency = default_peer_latency;
  }
  read_extra("--cluster", w.cluster, clusters, a, 1, m.cluster);
  read_extra("--peer-latency", w.peer_latency, clusters, a, 1, m.peer_latency);
  if (m.cluster > mmm::max_cluster_size)
    reject("--cluster", w.cluster, "1 to " + std::to_string(mmm::max_cluster_size));
  if (m.dmms % m.cluster != 0)
    reject("--cluster", std::to_string(m.cluster),
           "divisors of the number of DMMs, " + std::to_string(m.dmms));
  o.capacity_given = hmm && (gpu || !w.capacity.empty());
  o.capacity_from_gpu = gpu && w.capacity.empty();

  if (hmm && m.dmms > INT64_MAX / default_threads_per_dmm)
    reject("--dmms", w.dmms,
           "a whole number from 1 to " + std::to_string(INT64_MAX / default_threads_per_dmm));
  o.threads = hmm ? m.dmms * default_threads_per_dmm : default_threads;
  if (!w.threads.empty()) o.threads = number("--threads", w.threads, 1);
  if (hmm && o.threads % m.dmms != 0)
    reject("--threads", w.threads,
           "multiples of the number of DMMs, " + std::to_string(m.dmms) +
               " (--threads is the total over all of them)");
}

void read_run(written const& w, options& o) {
  if (w.algorithm.empty())
    throw failure("no algorithm is given; accepted: " + tool::joined(first_words()));
  for (algorithm_entry const& a : algorithms())
    if (w.algorithm == a.name) o.algorithm = &a;
  if (o.algorithm == nullptr) {
    std::vector<std::string> const words = first_words();
    reject("the algorithm", in_quotes(w.algorithm),
           tool::joined(words) + tool::suggestion(w.algorithm, words));
  }

  read_machine(w, o);
  cluster::read_network(
      w.network, w.threads,
      {{"--trace", w.trace}, {"--svg", w.svg}, {"--schedule", w.schedule}, {"--html", w.html}},
      w.input, o);
  if (!w.size.empty()) o.size = number("--size", w.size, 1, max_size(o.algorithm->shape));
  o.seed = static_cast<std::uint64_t>(w.seed.empty() ? 1 : number("--seed", w.seed, 0));
  extra_options const& uses = o.algorithm->uses;
  read_extra("--taps", w.taps, uses.taps, *o.algorithm, 1, o.extra.taps);
  read_pattern(w, o);
  read_extra("--radius", w.radius, uses.radius, *o.algorithm, 0, o.extra.radius);
  read_extra("--tile", w.tile, uses.tile, *o.algorithm, 1, o.extra.tile);
  read_extra("--bins", w.bins, uses.bins, *o.algorithm, 1, o.extra.bins);
  if (!w.permutation.empty()) {
    auto const& names = permutation_names();
    if (std::find(names.begin(), names.end(), w.permutation) == names.end())
      throw tool::no_such_name("--permutation", w.permutation, names);
    if (!uses.permutation)
      throw failure(std::string("--permutation is given, but ") + o.algorithm->name +
                    " does not use it");
    if (!w.input.empty()) throw failure("--permutation and --input exclude each other");
    o.permutation = w.permutation;
  }
  read_extra("--inputs", w.inputs, uses.inputs, *o.algorithm, 1, o.extra.inputs);
  read_arrangement(w.arrangement, o);
  if (!w.input.empty()) o.input = w.input;
  if (!w.trace.empty()) o.trace = w.trace;
  if (!w.svg.empty()) o.svg = w.svg;
  if (!w.schedule.empty()) {
    if (!uses.schedule)
      throw failure(std::string("--schedule is given, but ") + o.algorithm->name +
                    " does not use it");
    o.schedule = w.schedule;
  }
  if (!w.html.empty()) o.html = w.html;
  o.simulate = !w.no_simulate && !o.scaling;
  if (!o.simulate && (o.trace || o.svg || o.schedule))
    throw failure(std::string(o.trace ? "--trace"
                              : o.svg ? "--svg"
                                      : "--schedule") +
                  " and --no-simulate exclude each other");
  bool const keeps_trace = o.trace || o.svg || (o.html && o.simulate);
  if (is_hmm(o.machine.kind) && keeps_trace && o.machine.dmms > UINT16_MAX)
    reject("--dmms", w.dmms,
           "up to " + std::to_string(UINT16_MAX) + " with --trace, --svg or --html");
}

}  // namespace

char const* name_of(machine_kind kind) { return facts_of(kind).name; }

std::vector<std::string> machines_of(algorithm_entry const& a) {
  std::vector<std::string> names;
  hana::for_each(kinds, [&](auto kind) {
    if (a.runs_on(kind.key)) names.emplace_back(kind.name);
  });
  return names;
}

index default_size(problem_shape shape) {
  if (shape == problem_shape::polygon || shape == problem_shape::chain) return 64;
  if (shape == problem_shape::inputs) return 32;
  if (shape == problem_shape::polygons) return 8;
  return shape == problem_shape::square ? 256 : 65536;
}

request parse(int argc, char const* const* argv, options& o, std::string& text) {
  CLI::App app{"Runs an algorithm on the model of a memory machine: what it costs, how far it is "
               "from the lower bound."};
  written w;
  app.name("mmm-explore");
  app.add_option(
      "ALGORITHM", w.algorithm,
      "one of those that --list shows; or pattern, for an index expression of your own: "
      "mmm-explore pattern --help; or layout, for where a layout's elements lie: "
      "mmm-explore layout --help; or choose-layout, for the layout that costs least: "
      "mmm-explore choose-layout --help; or emit, for a problem's quickest kernel as a CUDA file: "
      "mmm-explore emit --help; or random-shift, for the expected bank conflicts of randomly "
      "shifted rows: mmm-explore random-shift --help; or figure, for the papers' figures: "
      "mmm-explore figure --help");
  auto const add = [&app](char const* name, std::string& to, char const* type,
                          std::string const& description) {
    app.add_option(name, to, description)->type_name(type);
  };
  add("--machine", w.machine, "KIND",
      "pram, bpram, dmm, umm or hmm (default: dmm if the algorithm runs on it, else umm or hmm); "
      "or a GPU, as "
      "the machine that the algorithm runs on: " +
          tool::joined(gpu_names()));
  add("--width", w.width, "W",
      "banks, and threads of a warp: 1 to " + std::to_string(max_width) + " (default: 32)");
  add("--latency", w.latency, "L",
      "time units; of the global memory on an hmm (default: 1 on a dmm, 400 on a umm and an hmm)");
  add("--shared-latency", w.shared_latency, "l",
      "hmm: time units of the shared memories (default: 1)");
  add("--dmms", w.dmms, "D", "hmm: number of DMMs (default: 16)");
  add("--cluster", w.cluster, "C",
      "DMMs in a cluster, for algorithms in clusters: 1 to 16, a divisor of --dmms (default: 4)");
  add("--peer-latency", w.peer_latency, "L",
      "time units of the memory of another DMM of the cluster (default: 30)");
  add("--capacity", w.capacity, "WORDS", "hmm: size of one shared memory (default: unlimited)");
  add("--ports", w.ports, "G",
      "umm, hmm: stages that the global memory accepts per time unit (default: 1)");
  add("--threads", w.threads, "P",
      "over the whole machine, a multiple of the DMMs (default: 1024; 128 per DMM on an hmm)");
  cluster::add_options(app, w.network);
  add("--size", w.size, "N",
      "elements of a sequence, symbols of a text, side of a square, vertices of a polygon, "
      "matrices of a chain (default: all of the input; without one 65536 elements, side 256, 64 "
      "vertices or matrices; in a bulk execution 32 elements, 8 vertices)");
  add("--taps", w.taps, "M", "taps of a convolution, symbols of a pattern (default: 16)");
  add("--pattern", w.pattern, "TEXT",
      "the pattern, for string-matching and lcs with a text as --input (default: --taps symbols "
      "from a place of the text, about one in eight of them replaced)");
  add("--radius", w.radius, "V",
      "radius of an image convolution, whose kernel is 2V + 1 on a side (default: 2)");
  add("--tile", w.tile, "M",
      "side of the tiles of a matrix product on an hmm (default: 16, at most the matrices' side)");
  add("--bins", w.bins, "M",
      "bins of a histogram, in which whole parts are counted modulo M (default: 256)");
  add("--permutation", w.permutation, "NAME",
      "the permutation, for permutation and permutation-direct: " +
          tool::joined(permutation_names()) + " (default: random)");
  add("--inputs", w.inputs, "K",
      "inputs of a bulk execution, each of --size elements or vertices (default: 1024)");
  add("--arrangement", w.arrangement, "ORDER",
      "of the inputs of a bulk execution in memory: columns (word by word) or rows (input by "
      "input) (default: columns)");
  add("--input", w.input, "FILE",
      "data instead of random numbers. By extension: .npy NumPy; .bin .f32 little-endian float32; "
      ".f64 little-endian "
      "float64; .dat text or else as .f64; " +
          tool::image_extensions() +
          " grey values of a picture; others: UTF-8 text, numbers between white space, commas or "
          "semicolons. At most " +
          std::to_string(tool::largest_file >> 20) +
          " MiB. A transpose takes "
          "the largest square in the middle of a picture or table, and of a plain sequence the "
          "first N * N numbers; so does a triangulation, as the weights of the chords (row, "
          "column), row < column; and a permutation the places that words go to, from 0 on. A bulk "
          "execution takes one input after the other, whatever their arrangement");
  add("--seed", w.seed, "S",
      "of the random input, which is whole numbers from 0 to 2^20 - 1 (default: 1)");
  add("--trace", w.trace, "FILE.csv", "write every access: round,space,dmm,thread,address,op");
  add("--svg", w.svg, "FILE.svg", "draw the trace");
  add("--schedule", w.schedule, "FILE.svg",
      "draw the schedule of permutation: the moves from bank to bank, coloured by rounds; up to "
      "256 "
      "words in one memory");
  add("--html", w.html, "FILE.html", "write figures, picture and rounds as a page");
  app.add_flag("--json", w.json,
               "print one JSON object, figures in time units; with --list, an array of the "
               "algorithms");
  app.add_flag("--no-simulate", w.no_simulate,
               "closed form and bounds only, for sizes too large to simulate");
  app.add_flag("--list", w.list, "print the algorithms with their machines, paper and theorem");
  app.set_version_flag("--version", tool::version_of("mmm-explore"));
  app.footer("Parameters that a machine does not have may be given; they do not matter, and a note "
             "on stderr says so.\n"
             "Sums of whole numbers are compared exactly as long as their absolute values add up "
             "to 2^53 at most, sums of other\n"
             "numbers within N * 2^-52 times the sum of their absolute values; transposes and "
             "copies exactly.\n"
             "Exit status: 0 if everything is as it should be; 1 if the closed form and the "
             "simulation differ, the result is\n"
             "wrong or a race was found; 2 if an option or a file cannot be used.");
  if (!tool::parse(app, argc, argv, text)) return request::help;
  tool::demand_values(app);
  o.json = w.json;
  if (w.list) return request::list;
  read_run(w, o);
  return request::run;
}

}  // namespace explore
