// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choose_layout.hpp"

#include <mmm/gpu/optimal_layout.hpp>

#include "pattern/parse.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/output_file.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace explore::choose_layout {

namespace {

using mmm::index;
using tool::failure;
using json = nlohmann::ordered_json;
using namespace mmm::gpu;

using rules = nvidia;
constexpr index max_elements = index{1} << 20;
constexpr index quick_steps = 1000000;
constexpr index max_steps = 4000000000;

//! An access as it was typed, and its parts.
struct access {
  std::string text;
  warp_access kind;
  tool::tree row;
  tool::tree column;
  index times = 1;
  index items = nvidia::lanes;
};

struct options {
  tile_shape area{32, 32, 4};
  tile_limits limits;
  std::vector<access> accesses;
  bool prove = false;
  index steps = quick_steps;
  std::optional<std::filesystem::path> certificate;
  bool json = false;
};

[[noreturn]] void reject(std::string const& option, std::string const& value,
                         std::string const& accepted) {
  throw failure(option + " is " + value + "; accepted: " + accepted);
}

index number(char const* option, std::string const& text, index least, index most) {
  index value = 0;
  if (!tool::read_whole(text, value) || value < least || value > most)
    reject(option, text.empty() ? "empty" : tool::shortened(text),
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::string trimmed(std::string const& text) {
  std::size_t const first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(std::string const& text, char mark) {
  std::vector<std::string> parts(1);
  for (char const c : text)
    if (c == mark)
      parts.emplace_back();
    else
      parts.back() += c;
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

constexpr char const* form =
    "KIND NUMBER: ROW; COLUMN[; TIMES[; ITEMS]] with load or store and 1, 2, 4, 8 or 16 bytes, "
    "ldmatrix or stmatrix and 1, 2 or 4 matrices, as 'load 16: i; 4'";

tool::tree expression_of(std::string const& text) {
  pattern::addresses const parsed = pattern::parse(text, {}, true);
  if (parsed.active)
    throw failure("--access has " + tool::in_quotes(text) +
                  ", where some lanes access nothing; accepted: an element for every lane");
  return parsed.of_item;
}

access read_access(std::string const& text) {
  access read;
  read.text = text;
  std::size_t const colon = text.find(':');
  std::vector<std::string> const head = split(trimmed(text.substr(0, colon)), ' ');
  std::vector<std::string> const tail =
      split(colon == std::string::npos ? "" : text.substr(colon + 1), ';');
  index count = 0;
  bool const lanewise = head[0] == "load" || head[0] == "store";
  bool const of_matrices = head[0] == "ldmatrix" || head[0] == "stmatrix";
  if (head.size() != 2 || tail.size() < 2 || tail.size() > 4 || !(lanewise || of_matrices) ||
      !tool::read_whole(head[1], count) || count < 1 || count > (lanewise ? 16 : 4) ||
      (count & (count - 1)) != 0)
    reject("--access", tool::in_quotes(tool::shortened(text)), form);
  if (lanewise)
    read.kind = access_of(head[0] == "load" ? instruction::load : instruction::store, count);
  else
    read.kind = matrix_access_of(
        head[0] == "ldmatrix" ? instruction::load_matrix : instruction::store_matrix, count);
  read.row = expression_of(tail[0]);
  read.column = expression_of(tail[1]);
  if (tail.size() > 2) read.times = number("--access TIMES", tail[2], 1, 1000000);
  if (tail.size() > 3) read.items = number("--access ITEMS", tail[3], 1, 65536);
  return read;
}

//! False if only `help` is to be printed.
bool parse(int argc, char const* const* argv, options& o, std::string& help) {
  CLI::App app{
      "The layout of a tile in shared memory with the fewest wavefronts for given accesses: among "
      "all invertible maps of its elements that are linear over F2 (every swizzle is one) and all "
      "paddings, with a bound and a proof that no other is better. Wavefronts are those of NVIDIA "
      "GPUs."};
  std::string rows, columns, bytes, alignment, padding, budget, steps, certificate;
  std::vector<std::string> accesses;
  app.name("mmm-explore choose-layout");
  auto const add = [&app](char const* name, std::string& to, char const* type,
                          std::string const& description) {
    app.add_option(name, to, description)->type_name(type);
  };
  app.add_option("--access", accesses,
                 std::string("an access that the tile must serve; may be repeated: ") + form +
                     "; ROW and COLUMN are expressions in the item i, as of mmm-explore pattern")
      ->type_name("ACCESS")
      ->allow_extra_args(false);
  add("--rows", rows, "R", "of the tile, a power of two (default: 32)");
  add("--columns", columns, "C", "of the tile, a power of two (default: 32)");
  add("--bytes", bytes, "B", "of an element: 1, 2, 4, 8 or 16 (default: 4)");
  add("--alignment", alignment, "BYTES",
      "that divide the start of every row, and that maps keep together (default: 4)");
  add("--max-padding", padding, "N", "elements after a row: 0 to 256 (default: 33)");
  add("--budget", budget, "BYTES", "of shared memory (default: 49152)");
  add("--steps", steps, "N",
      "limit of the search: 1 to " + std::to_string(max_steps) +
          " (default: " + std::to_string(quick_steps) + ", with --prove the largest)");
  app.add_flag("--prove", o.prove,
               "search until the proof is complete, and check it by other means");
  add("--certificate", certificate, "FILE.json",
      "with --prove: write the tile, the requests, the layout and the tree of the proof");
  app.add_flag("--json", o.json, "print one JSON object");
  app.footer("Exit status: 0; 1 if --prove is given, and the search ended at its limit or the "
             "certificate does not pass its check; 2 if an option cannot be used.");
  if (!tool::parse(app, argc, argv, help)) return false;
  tool::demand_values(app);
  if (accesses.empty()) throw failure(std::string("--access is missing; accepted: ") + form);
  auto const read = [](char const* option, std::string const& text, index least, index most,
                       index& value) {
    if (!text.empty()) value = number(option, text, least, most);
  };
  read("--rows", rows, 1, max_elements, o.area.rows);
  read("--columns", columns, 1, max_elements, o.area.columns);
  read("--bytes", bytes, 1, 16, o.area.element_bytes);
  read("--alignment", alignment, 1, 128, o.limits.alignment);
  read("--max-padding", padding, 0, 256, o.limits.max_padding);
  read("--budget", budget, 1, index{1} << 30, o.limits.budget);
  if (o.prove) o.steps = max_steps;
  read("--steps", steps, 1, max_steps, o.steps);
  auto const power = [](char const* option, index value) {
    if ((value & (value - 1)) != 0) reject(option, std::to_string(value), "a power of two");
  };
  power("--rows", o.area.rows);
  power("--columns", o.area.columns);
  power("--bytes", o.area.element_bytes);
  power("--alignment", o.limits.alignment);
  if (o.area.rows > max_elements / o.area.columns)
    reject("--rows", std::to_string(o.area.rows),
           "a tile of up to " + std::to_string(max_elements) + " elements");
  if (!certificate.empty()) {
    if (!o.prove) throw failure("--certificate is given without --prove");
    o.certificate = certificate;
  }
  for (std::string const& text : accesses) o.accesses.push_back(read_access(text));
  return true;
}

//! Calls `use` with an access as the library has it: its type knows the instruction.
template <class Use>
void with_access(access const& a, Use use) {
  auto const as = [&](auto kind) {
    use(tile_access<decltype(kind)>(a.row, a.column, a.times, mmm::size(a.items)));
  };
  if (a.kind.of_matrices()) {  // stmatrix costs as ldmatrix does
    if (a.kind.matrices == 1) return as(ldmatrix<1>{});
    return a.kind.matrices == 2 ? as(ldmatrix<2>{}) : as(ldmatrix<4>{});
  }
  auto const by_bytes = [&](auto kind_of) {
    if (a.kind.bytes == 1) return as(kind_of.template operator()<1>());
    if (a.kind.bytes == 2) return as(kind_of.template operator()<2>());
    if (a.kind.bytes == 4) return as(kind_of.template operator()<4>());
    return a.kind.bytes == 8 ? as(kind_of.template operator()<8>())
                             : as(kind_of.template operator()<16>());
  };
  if (a.kind.writes())
    by_bytes([]<index Bytes>() { return store<Bytes>{}; });
  else
    by_bytes([]<index Bytes>() { return load<Bytes>{}; });
}

//! A certificate of a tile that only a run knows (mmm::gpu::layout_certificate).
struct certificate {
  struct {
    tile_shape area;
    mmm::linear_map map;
    index padding = 0;
    [[nodiscard]] index rows() const { return area.rows; }
    [[nodiscard]] index columns() const { return area.columns; }
    [[nodiscard]] index words() const {
      return (area.rows - 1) * (area.columns + padding) + area.columns;
    }
    index operator()(index row, index column) const {
      index const x = row * (area.columns + padding) + column;
      return padding == 0 ? map(x) : x;
    }
  } layout;
  std::vector<index> cost;
  index wavefronts = 0, plain = 0, bound = 0, nodes = 0, steps = 0, bytes = 0, price = 0;
  layout_proof proof = layout_proof::open;
};

//! The phases of the accesses, and the leaves of the tree, for another program that checks them.
json whole_proof(options const& o, certificate const& c,
                 detail::optimal_tile_search<rules> const& search) {
  json accesses = json::array();
  for (access const& a : o.accesses)
    with_access(a, [&](auto const& pattern) {
      json phases = json::array();
      for (index warp = 0; warp * rules::lanes < pattern.items; ++warp) {
        auto const lanes = detail::lanes_of_tile<rules>(o.area, pattern, warp);
        auto const element = [&](int t) { return lanes.row[t] * o.area.columns + lanes.column[t]; };
        static_cast<void>(
            detail::with_phases<rules>(a.kind, element, lanes.active, [&](auto const& table) {
              for (int p = 0; p < table.phases; ++p) {
                json elements = json::array();
                detail::for_each_lane(table.lanes[p] & lanes.active,
                                      [&](int t) { elements.push_back(element(t)); });
                if (!elements.empty()) phases.push_back(elements);
              }
              return 0;
            }));
      }
      accesses.push_back(
          {{"access", a.text}, {"bytes", a.kind.bytes}, {"times", a.times}, {"elements", phases}});
    });
  detail::bank_map_search again(search.sets(), c.steps);
  json basis = json::array();
  for (int k = 0; k < again.dimension(); ++k) basis.push_back(again.vector(k));
  json leaves = json::array();
  if (c.proof == layout_proof::search)
    again.run(c.wavefronts, true, [&](int const* bank, int count) {
      leaves.push_back(std::vector<int>(bank, bank + count));
    });
  return {{"granule_bytes", search.granule_bytes()},
          {"banks", rules::banks},
          {"alignment", o.limits.alignment},
          {"max_padding", o.limits.max_padding},
          {"budget", o.limits.budget},
          {"requests", accesses},
          {"basis", basis},
          {"leaves", leaves}};
}

char const* name_of(layout_proof proof) {
  return proof == layout_proof::capacity ? "capacity"
         : proof == layout_proof::search ? "search"
                                         : "open";
}

std::string meaning_of(layout_proof proof) {
  switch (proof) {
    case layout_proof::capacity:
      return "every wavefront serves as much as it can: no layout is better";
    case layout_proof::search:
      return "no linear map and no padding is better: all were ruled out";
    default:
      return "none: the search ended at its limit (--prove, --steps)";
  }
}

json figures_of(options const& o, certificate const& c) {
  json const images =
      std::vector<index>(c.layout.map.image, c.layout.map.image + c.layout.map.bits);
  return {{"rows", o.area.rows},
          {"columns", o.area.columns},
          {"bytes", o.area.element_bytes},
          {"wavefronts", c.wavefronts},
          {"plain", c.plain},
          {"bound", c.bound},
          {"proof", name_of(c.proof)},
          {"cost", c.cost},
          {"map", images},
          {"padding", c.layout.padding},
          {"shared_bytes", c.bytes},
          {"unused_bytes", c.price},
          {"nodes", c.nodes},
          {"steps", c.steps}};
}

std::string text_of(options const& o, certificate const& c) {
  std::string out = "tile                " + std::to_string(o.area.rows) + " x " +
                    std::to_string(o.area.columns) + " elements of " +
                    std::to_string(o.area.element_bytes) + " bytes\n";
  for (std::size_t k = 0; k < o.accesses.size(); ++k)
    out += "wavefronts          " + std::to_string(c.cost[k]) + " of " + o.accesses[k].text + '\n';
  out += "all                 " + std::to_string(c.wavefronts) + ", without a layout " +
         std::to_string(c.plain) + ", at least " + std::to_string(c.bound) + '\n';
  out += "proof               " + std::string(name_of(c.proof)) + ": " + meaning_of(c.proof) + '\n';
  out += "layout              ";
  if (c.layout.padding != 0) {
    out += "padding of " + std::to_string(c.layout.padding) + " elements after each row\n";
  } else if (c.layout.map == mmm::linear_map(c.layout.map.bits)) {
    out += "row by row, as it is\n";
  } else {
    out += "bit i of row * " + std::to_string(o.area.columns) + " + column gives\n";
    for (int i = 0; i < c.layout.map.bits; ++i) {
      char image[32];
      std::snprintf(image, sizeof image, "%2d  0x%llx\n", i,
                    static_cast<unsigned long long>(c.layout.map.image[i]));
      out += "                    " + std::string(image);
    }
  }
  return out + "shared memory       " + std::to_string(c.bytes) + " bytes, " +
         std::to_string(c.price) + " of them unused\n";
}

answer answer_of(options const& o) {
  tool::output_file file("--certificate", o.certificate);
  index widest = o.area.element_bytes;
  for (access const& a : o.accesses) widest = std::max<index>(widest, a.kind.bytes);
  detail::optimal_tile_search<rules> search(o.area, o.limits, widest);
  detail::layout_check<rules> check(o.area, o.limits, widest);
  for (access const& a : o.accesses)
    with_access(a, [&](auto const& pattern) {
      search.add(pattern);
      check.add(pattern);
    });
  search.search_maps(o.steps);
  if (!search.bound_reached()) {
    for (access const& a : o.accesses)
      with_access(a, [&](auto const& pattern) { search.add_to_paddings(pattern); });
    search.search_paddings();
  }
  certificate c;
  c.layout.area = o.area;
  c.layout.map = search.map;
  c.layout.padding = search.padding;
  for (access const& a : o.accesses)
    with_access(a, [&](auto const& pattern) {
      c.cost.push_back(detail::wavefronts_of_access<rules>(o.area, c.layout, pattern));
      c.wavefronts += c.cost.back();
    });
  c.plain = search.plain;
  c.bound = search.bound();
  c.proof = search.proof;
  c.nodes = search.nodes;
  c.steps = search.steps;
  c.bytes = c.layout.words() * o.area.element_bytes;
  c.price = c.bytes - o.area.rows * o.area.columns * o.area.element_bytes;
  bool const proved = c.proof != layout_proof::open && (!o.prove || check.holds(c));
  json figures = figures_of(o, c);
  if (o.prove) figures["checked"] = proved;
  file.write([&](std::ofstream& out) {
    json whole = figures;
    whole.update(whole_proof(o, c, search));
    out << whole.dump() << '\n';
  });
  std::string text = o.json ? figures.dump() + "\n" : text_of(o, c);
  if (o.prove && !o.json)
    text += std::string("check               ") +
            (c.proof == layout_proof::open
                 ? "none: the search ended at its limit of " + std::to_string(o.steps) +
                       " steps, so that there is no proof to check; accepted: a larger --steps\n"
             : proved ? "passed: costs by every byte in its bank, the proof leaf by leaf\n"
                      : "NOT passed: the certificate is wrong\n");
  return {text, !o.prove || proved};
}

}  // namespace

answer run(int argc, char const* const* argv) {
  options o;
  std::string help;
  if (!parse(argc, argv, o, help)) return help;
  return answer_of(o);
}

}  // namespace explore::choose_layout
