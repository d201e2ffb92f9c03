// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "figure.hpp"

#include <mmm/algorithm/access/contiguous.hpp>
#include <mmm/algorithm/access/sequential_read.hpp>
#include <mmm/algorithm/access/stride.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/summed_area_one_pass.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/triangulation/polygon_triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/report/access_grid.hpp>
#include <mmm/report/fold_picture.hpp>
#include <mmm/report/grid_picture.hpp>
#include <mmm/report/machine_picture.hpp>
#include <mmm/report/polygon_picture.hpp>
#include <mmm/report/trace_svg.hpp>
#include <mmm/report/trace_text.hpp>
#include <mmm/report/triangulation_grid.hpp>

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/output_file.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace explore::figure {

namespace {

using mmm::index;
namespace report = mmm::report;

//! A figure as text and as a picture.
struct drawn {
  std::string text;
  std::string svg;
};
template <class Picture>
drawn draw(Picture const& p) {
  return {report::text(p), report::svg(p)};
}

std::vector<index> numbered(index n) {
  std::vector<index> words(static_cast<std::size_t>(n));
  std::iota(words.begin(), words.end(), 0);
  return words;
}

//! The threads of a read of all words, with the rounds.
template <class Algorithm>
report::grid_panel reads_of(Algorithm const& algorithm, index n, index p, char const* caption) {
  std::vector<index> const words = numbered(n);
  auto const run = mmm::simulate<mmm::umm<4, 1>>(
      mmm::threads(p), [&](auto on) { return algorithm(on, words.begin(), words.end()); });
  index const first = run.trace.entries.front().address;  // thread 0 reads word 0 first
  report::grid_panel panel =
      report::threads_of_words(run.trace, {first, n, 4}, mmm::access_kind::read, 1, caption, true);
  return panel;
}

constexpr char const* one_memory =
    "A row of words is an address group, a column a bank. On the DMM each bank has an address line "
    "(blue): words of different banks, one of each colour, are served at once. On the UMM all "
    "banks "
    "have one (orange): the words of one address group are served at once.";

drawn dmm_and_umm() {
  mmm::threads const p(20);
  return draw(report::machine_picture{
      "The DMM and the UMM with width 4 and 20 threads",
      {report::panel_of(mmm::dmm<4, 5>(), p, "DMM"), report::panel_of(mmm::umm<4, 5>(), p, "UMM")},
      one_memory});
}

constexpr char const* several_memories =
    "Each DMM has a shared memory, whose banks have address lines of their own (blue); the global "
    "memory, for the threads of all DMMs, has one address line (orange).";

drawn hmm() {
  return draw(
      report::machine_picture{"The HMM with 3 DMMs of width 4",
                              {report::panel_of(mmm::hmm<3, 4, 1, 5>(), mmm::threads(24), "HMM")},
                              several_memories});
}

drawn gpu() {
  mmm::gpu::h200 const gpu;
  return draw(report::machine_picture{
      "An H200 as an HMM: " + std::to_string(gpu.dmms()) + " streaming multiprocessors",
      {report::panel_of(gpu, mmm::threads(gpu.dmms() * 2048), "mmm::gpu::h200")},
      several_memories});
}

//! Two warps' requests of figure 4 of Nakano 2012.
template <class M>
drawn requests(M const& machine, std::string const& title) {
  std::vector<index> const addresses{0, 1, 5, 10, 8, 9, 14, 15};
  std::vector<index> const words = numbered(16);
  auto run = mmm::simulate(machine, mmm::threads(8), [&](auto on) {
    return mmm::sequential_read(on, words.begin(), words.end(), addresses.begin(), addresses.end());
  });
  index const first = run.trace.entries.front().address;  // thread 0 reads word 0
  for (mmm::trace_entry& access : run.trace.entries) access.address -= first;
  return {title + "\n\n" + report::text(run.trace, machine),
          report::svg(run.trace, machine, title)};
}
drawn requests_dmm() {
  return requests(mmm::dmm<4, 3>(), "Two warps' requests on a DMM with l = 3");
}
drawn requests_umm() {
  return requests(mmm::umm<4, 3>(), "Two warps' requests on a UMM with l = 3");
}

drawn accesses() {
  return draw(report::grid_picture{
      "Contiguous and stride access of 16 words by 4 threads",
      {reads_of(mmm::contiguous, 16, 4, "contiguous"), reads_of(mmm::stride, 16, 4, "stride")},
      "A cell is a word with the thread that reads it and its round t; a row is an address group "
      "of width 4, and the colour is that of the thread."});
}

drawn diagonal_transpose() {
  std::vector<index> square = numbered(16);
  auto const run = mmm::simulate<mmm::dmm<4, 1>>(
      mmm::threads(16), [&](auto on) { mmm::transpose_diagonal(on, square.begin(), 4); });
  auto const panel = [&](index first, mmm::access_kind op, char const* caption) {
    return report::threads_of_words(run.trace, {first, 16, 4}, op, 4, caption);
  };
  return draw(report::grid_picture{
      "The transpose along diagonals: 16 threads, width 4",
      {panel(16, mmm::access_kind::read, "threads that read b"),
       panel(0, mmm::access_kind::write, "threads that write a")},
      "A column is a bank. The four threads of a warp have one colour: they read, and write, words "
      "of four banks."});
}

drawn rotating_transpose() {
  std::vector<index> square = numbered(16);
  auto const run = mmm::simulate<mmm::umm<4, 1>>(
      mmm::threads(4), [&](auto on) { mmm::transpose_rotating(on, square.begin(), 4); });
  return draw(report::register_transpose(run.trace, square, 4,
                                         "The transpose of 4 x 4 words by rotation in registers"));
}

drawn sequential() {
  // gaps between threads 3 and 4, and 6 and 7
  std::vector<index> const addresses{1, 2, 3, 4, 10, 11, 12, 17, 18, 19, 20, 21};
  std::vector<index> const words = numbered(24);
  auto const run = mmm::simulate<mmm::umm<4, 1>>(mmm::threads(12), [&](auto on) {
    return mmm::sequential_read(on, words.begin(), words.end(), addresses.begin(), addresses.end());
  });
  index const first = run.trace.entries.front().address - addresses.front();
  index const f = mmm::fragmentation(addresses.begin(), addresses.end());
  return draw(report::grid_picture{
      "Sequential access of length 12 by 12 threads, fragmentation " + std::to_string(f),
      {report::threads_of_words(run.trace, {first, 24, 4}, mmm::access_kind::read, 4, "words")},
      "A row is an address group, a colour a warp. Two neighbouring threads whose words are not "
      "neighbours are a gap: each makes at most two more stages."});
}

drawn sum() {
  std::vector<index> const words{3, 1, 4, 1, 5, 9, 2, 6};
  auto const run = mmm::simulate<mmm::pram>(
      mmm::threads(4), [&](auto on) { return mmm::sum(on, words.begin(), words.end()); });
  return draw(
      report::fold_of(run.trace, words, "The sum of 8 words, " + std::to_string(run.result)));
}

//! An octagon whose chords weigh 9, but for five, which weigh 6 together.
std::vector<index> octagon() {
  std::vector<index> weights(64, 9);
  for (auto const& [i, j] : {std::pair{1, 7}, {1, 6}, {2, 6}, {2, 5}, {3, 5}})
    weights[static_cast<std::size_t>(i * 8 + j)] = 1;
  weights[1 * 8 + 6] = 2;
  return weights;
}

drawn octagon_tree() {
  std::vector<index> const weights = octagon();
  auto const run = mmm::simulate<mmm::umm<4, 5>>(
      mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), 8); });
  return draw(report::parse_tree(
      8, run.result.chords,
      "A triangulation of an 8-gon of weight " + std::to_string(run.result.weight)));
}

drawn part() {
  return draw(report::divided_part(12, 3, 6, 9, "A part of a 12-gon divided by a triangle"));
}

drawn table() {
  std::vector<index> weights = octagon();
  weights[7] = 0;  // the chord (0, 7) is a side
  return draw(report::table_of(report::trace_dp(weights, 8), "The table of the 8-gon"));
}

constexpr index vertices = 11;
constexpr index stage = 4;
constexpr index row = 2;

drawn dp_entry() {
  return draw(report::entries_for(report::trace_dp(numbered(vertices * vertices), vertices), row,
                                  stage + 1, "One entry of DP-OPT, for an 11-gon"));
}
report::traced_triangulation umm_run() {
  return report::trace_umm(numbered(vertices * vertices), vertices);
}
drawn umm_stage() {
  return draw(report::updated_at(umm_run(), stage, "A stage of UMM-OPT, for an 11-gon"));
}
drawn umm_left() {
  return draw(report::updates_of_row(umm_run(), report::umm_case::left, row, stage,
                                     "Case 1 of UMM-OPT: X on diagonal r - 1"));
}
drawn umm_right() {
  return draw(report::updates_of_row(umm_run(), report::umm_case::right, row, stage,
                                     "Case 2 of UMM-OPT: Y on diagonal r - 1"));
}

//! Two DMMs, each with one of two tiles of 4 x 8 pixels, one above the other.
drawn one_pass_table() {
  using machine = mmm::hmm<2, 2, 1, 5>;
  std::vector<double> pixels(8 * 8, 1);
  auto const run = mmm::simulate<machine>(mmm::threads(4), [&](auto on) {
    mmm::summed_area_one_pass(on, pixels.begin(), mmm::shape(8, 8));
  });
  report::extent const all{.rounds = 65};
  std::string const title = "A summed area table in one pass";
  return {title + "\n" + report::text(run.trace, machine{}, all),
          report::svg(run.trace, machine{}, title, all)};
}

struct named_figure {
  char const* name;
  char const* source;
  char const* summary;
  drawn (*draw)();
};
constexpr named_figure figures[] = {
    {"dmm-and-umm",
     "Nakano 2012, figures 1 and 3; Nakano 2013a, figures 1 and 3; Nakano 2013b, figures 1 and 2; "
     "Nakano 2014, figures 1 and 2",
     "threads, address lines and banks of the two machines", dmm_and_umm},
    {"hmm", "Nakano 2013a, figure 2; Nakano and Ito 2014, figure 1", "DMMs over a global memory",
     hmm},
    {"gpu", "this library", "an H200 as an HMM", gpu},
    {"requests-dmm", "Nakano 2012, figure 4", "requests in the pipeline of a DMM", requests_dmm},
    {"requests-umm", "Nakano 2012, figure 4", "requests in the pipeline of a UMM", requests_umm},
    {"contiguous-and-stride", "Nakano 2012, figure 2", "threads and rounds of two accesses",
     accesses},
    {"transpose-diagonal", "Nakano 2012, figure 5", "threads of a transpose along diagonals",
     diagonal_transpose},
    {"transpose-rotating", "Nakano 2012, figure 6", "a transpose through registers",
     rotating_transpose},
    {"sum", "Nakano 2013a, figure 5", "the pairs that a sum adds", sum},
    {"summed-area-one-pass", "this library", "a summed area table by look-back", one_pass_table},
    {"sequential", "Nakano 2013b, figure 3", "a sequential access with two gaps", sequential},
    {"parse-tree", "Nakano 2013b, figures 4 and 6", "a triangulation and its parse tree",
     octagon_tree},
    {"part", "Nakano 2013b, figure 7", "a part of a polygon divided by a triangle", part},
    {"table", "Nakano 2013b, figure 8", "weights and stages of a table", table},
    {"dp-opt", "Nakano 2013b, figure 9", "what an entry of DP-OPT is computed from", dp_entry},
    {"umm-opt", "Nakano 2013b, figure 10", "what a stage of UMM-OPT updates", umm_stage},
    {"umm-opt-case-1", "Nakano 2013b, figure 11", "a row of a stage of UMM-OPT, X", umm_left},
    {"umm-opt-case-2", "Nakano 2013b, figure 12", "a row of a stage of UMM-OPT, Y", umm_right},
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (named_figure const& f : figures) all.emplace_back(f.name);
  return all;
}

nlohmann::ordered_json object_of(named_figure const& f) {
  return {{"figure", f.name}, {"source", f.source}, {"summary", f.summary}};
}

std::string list(bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (named_figure const& f : figures) all.push_back(object_of(f));
    return all.dump() + "\n";
  }
  std::string out;
  for (named_figure const& f : figures)
    out += std::string(f.name) + std::string(24 - std::string(f.name).size(), ' ') + f.summary +
           " (" + f.source + ")\n";
  return out;
}

struct options {
  std::string name;
  std::optional<std::filesystem::path> svg;
  bool list = false;
  bool json = false;
};

//! False if only `help` is to be printed.
bool parse(int argc, char const* const* argv, options& o, std::string& help) {
  CLI::App app{
      "A figure of the papers, drawn from the library's machines and runs of its algorithms."};
  std::string svg;
  app.name("mmm-explore figure");
  app.add_option("FIGURE", o.name, tool::joined(names()));
  app.add_option("--svg", svg, "draw it")->type_name("FILE.svg");
  app.add_flag("--list", o.list, "print the figures and their sources");
  app.add_flag("--json", o.json, "print one JSON object; with --list, an array of them");
  app.footer("Exit status: 0; 2 if an option cannot be used.");
  if (!tool::parse(app, argc, argv, help)) return false;
  tool::demand_values(app);
  if (!svg.empty()) o.svg = svg;
  if (o.list && (o.svg || !o.name.empty()))
    throw tool::failure("--list is given with a figure or with --svg");
  if (!o.list && o.name.empty())
    throw tool::failure("FIGURE is missing; accepted: " + tool::joined(names()));
  return true;
}

}  // namespace

std::string run(int argc, char const* const* argv) {
  options o;
  std::string help;
  if (!parse(argc, argv, o, help)) return help;
  if (o.list) return list(o.json);
  named_figure const* const found = std::find_if(std::begin(figures), std::end(figures),
                                                 [&](auto const& f) { return o.name == f.name; });
  if (found == std::end(figures)) throw tool::no_such_name("FIGURE", o.name, names());
  tool::output_file svg("--svg", o.svg);
  drawn const picture = found->draw();
  svg.write([&](std::ofstream& out) { out << picture.svg; });
  if (!o.json) return picture.text + '\n' + found->source + '\n';
  nlohmann::ordered_json object = object_of(*found);
  object["text"] = picture.text;
  return object.dump() + "\n";
}

}  // namespace explore::figure
