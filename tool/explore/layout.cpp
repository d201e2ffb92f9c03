// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout.hpp"

#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzled.hpp>
#include <mmm/report/layout_picture.hpp>
#include <mmm/report/request.hpp>

#include "machine_choice.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/output_file.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace explore::layout {

namespace {

constexpr index max_side = 256;

struct options {
  std::string name;
  index rows = 32;
  index columns = 32;
  index padding = 1;
  index width = 32;
  std::optional<std::filesystem::path> svg;
  bool json = false;
};

template <class L>
mmm::report::layout_picture picture(options const& o, std::string const& title) {
  if constexpr (std::is_same_v<L, mmm::padded>)
    return mmm::report::picture_of(L(o.rows, o.columns, o.padding), o.width, title);
  else
    return mmm::report::picture_of(L(o.rows, o.columns), o.width, title);
}

//! A layout by name, and what else it is called.
struct named_layout {
  char const* name;
  char const* also;
  mmm::report::layout_picture (*picture)(options const&, std::string const& title);
};
constexpr named_layout layouts[] = {
    {"row-major", "", picture<mmm::row_major>},
    {"column-major", "", picture<mmm::column_major>},
    {"padded", "", picture<mmm::padded>},
    {"rotated", ", the diagonal arrangement", picture<mmm::rotated>},
    {"swizzled", ", by exclusive or", picture<mmm::xor_swizzled>},
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (named_layout const& l : layouts) all.emplace_back(l.name);
  return all;
}

void read(char const* option, std::string const& text, index least, index most, index& value) {
  if (text.empty()) return;
  if (!tool::read_whole(text, value) || value < least || value > most)
    throw tool::failure(std::string(option) + " is " + tool::shortened(text) +
                        "; accepted: " + std::to_string(least) + " to " + std::to_string(most));
}

//! False if only `help` is to be printed.
bool parse(int argc, char const* const* argv, options& o, std::string& help) {
  CLI::App app{"Where the element at (row, column) lies in the banks of a DMM, and the stages of "
               "the rows and columns."};
  std::string rows, columns, padding, width, svg;
  app.name("mmm-explore layout");
  app.add_option("LAYOUT", o.name, tool::joined(names()))->required();
  auto const add = [&app](char const* name, std::string& to, char const* type,
                          std::string const& description) {
    app.add_option(name, to, description)->type_name(type);
  };
  add("--width", width, "W",
      "banks, and lanes of a warp: 1 to " + std::to_string(max_width) + " (default: 32)");
  std::string const side = ": 1 to " + std::to_string(max_side) + " (default: the width)";
  add("--rows", rows, "R", "of the array" + side);
  add("--columns", columns, "C", "of the array" + side + "; swizzled: a power of two");
  add("--padding", padding, "WORDS", "padded: unused words after each row (default: 1)");
  add("--svg", svg, "FILE.svg", "draw it");
  app.add_flag("--json", o.json, "print one JSON object");
  app.footer("Exit status: 0; 2 if an option cannot be used.");
  if (!tool::parse(app, argc, argv, help)) return false;
  tool::demand_values(app);
  read("--width", width, 1, max_width, o.width);
  o.rows = o.columns = o.width;
  read("--rows", rows, 1, max_side, o.rows);
  read("--columns", columns, 1, max_side, o.columns);
  if (o.name == "swizzled" && (o.columns & (o.columns - 1)) != 0)
    throw tool::failure("--columns is " + std::to_string(o.columns) +
                        (columns.empty() ? ", the width" : "") +
                        "; accepted: a power of two for swizzled");
  if (!padding.empty() && o.name != "padded")
    throw tool::failure("--padding is given, but it is for padded");
  read("--padding", padding, 0, max_side, o.padding);
  if (!svg.empty()) o.svg = svg;
  return true;
}

//! The most stages of a warp that reads consecutive elements of a row, or of a column.
index max_stages(mmm::report::layout_picture const& p, bool of_rows) {
  std::vector<std::vector<std::pair<index, index>>> lines;  // place in the row or column, word
  for (std::size_t word = 0; word < p.words.size(); ++word) {
    auto const [row, column] = p.words[word];
    if (row < 0) continue;
    auto const line = static_cast<std::size_t>(of_rows ? row : column);
    if (lines.size() <= line) lines.resize(line + 1);
    lines[line].emplace_back(of_rows ? column : row, static_cast<index>(word));
  }
  index most = 0;
  for (auto& line : lines) {
    std::sort(line.begin(), line.end());
    mmm::report::request warp{"", mmm::conflict::banks, p.width, 1, {}};
    for (auto const& [place, word] : line) {
      if (place % p.width == 0) warp.lanes.clear();
      warp.lanes.push_back({place % p.width, word});
      most = std::max(most, stages(warp));
    }
  }
  return most;
}

std::string counted(index n) { return std::to_string(n) + (n == 1 ? " stage" : " stages"); }

}  // namespace

std::string run(int argc, char const* const* argv) {
  options o;
  std::string help;
  if (!parse(argc, argv, o, help)) return help;
  named_layout const* const found = std::find_if(std::begin(layouts), std::end(layouts),
                                                 [&](auto const& l) { return o.name == l.name; });
  if (found == std::end(layouts)) throw tool::no_such_name("LAYOUT", o.name, names());
  std::string const title = std::string(found->name) + found->also + ": " + std::to_string(o.rows) +
                            " x " + std::to_string(o.columns) + " in " + std::to_string(o.width) +
                            (o.width == 1 ? " bank" : " banks");
  mmm::report::layout_picture const drawn = found->picture(o, title);
  tool::output_file svg("--svg", o.svg);
  svg.write([&](std::ofstream& out) { out << mmm::report::svg(drawn); });
  index const row = max_stages(drawn, true);
  index const column = max_stages(drawn, false);
  if (!o.json)
    return text(drawn) + "a row takes " + counted(row) + ", a column " + counted(column) + "\n";
  std::vector<std::vector<index>> word(static_cast<std::size_t>(o.rows),
                                       std::vector<index>(static_cast<std::size_t>(o.columns)));
  for (std::size_t k = 0; k < drawn.words.size(); ++k)
    if (auto const [r, c] = drawn.words[k]; r >= 0)
      word[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = static_cast<index>(k);
  nlohmann::ordered_json const object{{"layout", o.name},
                                      {"rows", o.rows},
                                      {"columns", o.columns},
                                      {"width", o.width},
                                      {"words", drawn.words.size()},
                                      {"row_stages", row},
                                      {"column_stages", column},
                                      {"word", word}};
  return object.dump() + "\n";
}

}  // namespace explore::layout
