// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_shift.hpp"

#include <mmm/cost/expected_congestion.hpp>
#include <mmm/report/congestion_picture.hpp>

#include "machine_choice.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/output_file.hpp>
#include <common/text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace explore::random_shift {

namespace {

template <class Value, std::size_t N>
using named_values = std::array<std::pair<char const*, Value>, N>;

constexpr named_values<mmm::matrix_access, 4> accesses{{
    {"contiguous", mmm::matrix_access::contiguous},
    {"stride", mmm::matrix_access::stride},
    {"diagonal", mmm::matrix_access::diagonal},
    {"random", mmm::matrix_access::random},
}};
constexpr named_values<mmm::shift_scheme, 3> schemes{{
    {"none", mmm::shift_scheme::none},
    {"ras", mmm::shift_scheme::ras},
    {"rap", mmm::shift_scheme::rap},
}};

struct options {
  index width = 32;
  std::string access = "stride";
  std::string scheme = "ras";
  index seed = 1;
  std::optional<std::filesystem::path> svg;
  bool json = false;
};

template <class Value, std::size_t N>
std::vector<std::string> names_of(named_values<Value, N> const& all) {
  std::vector<std::string> names;
  for (auto const& [name, value] : all) names.emplace_back(name);
  return names;
}
template <class Value, std::size_t N>
Value value_of(named_values<Value, N> const& all, char const* option, std::string const& written) {
  for (auto const& [name, value] : all)
    if (written == name) return value;
  throw tool::no_such_name(option, written, names_of(all));
}

void read(char const* option, std::string const& text, index least, index greatest, index& value) {
  if (text.empty()) return;
  if (!tool::read_whole(text, value) || value < least || value > greatest)
    throw tool::failure(std::string(option) + " is " + tool::shortened(text) +
                        "; accepted: " + std::to_string(least) + " to " + std::to_string(greatest));
}

//! False if only `help` is to be printed.
bool parse(int argc, char const* const* argv, options& o, std::string& help) {
  CLI::App app{
      "The expected congestion, the stages of a warp's request on a DMM, of an access to a "
      "w x w matrix whose rows are shifted at random, and its distribution."};
  std::string width, seed, svg, machine = "dmm";
  app.name("mmm-explore random-shift");
  auto const add = [&app](char const* name, std::string& to, char const* type,
                          std::string const& description) {
    app.add_option(name, to, description)->type_name(type);
  };
  add("--machine", machine, "KIND", "dmm, the only one with banks");
  add("--width", width, "W",
      "banks, rows and columns: 1 to " + std::to_string(max_width) + " (default: 32)");
  add("--access", o.access, "ACCESS",
      "contiguous, a row; stride, a column; diagonal; or random, independent elements (default: "
      "stride)");
  add("--scheme", o.scheme, "SCHEME",
      "none; ras, each row shifted by a random amount; or rap, by those of a random permutation "
      "(default: ras)");
  add("--seed", seed, "S", "of the sample where the expectation is not known exactly (default: 1)");
  add("--svg", svg, "FILE.svg", "draw the distribution");
  app.add_flag("--json", o.json, "print one JSON object");
  app.footer("The figures are stages of one warp's request: they depend neither on the latency nor "
             "on the\n"
             "number of threads.\n"
             "Exit status: 0; 2 if an option cannot be used.");
  for (int k = 1; k < argc; ++k)
    for (std::string_view const option : {"--latency", "--threads"})
      if (std::string_view(argv[k]).substr(0, option.size()) == option)
        throw tool::failure(std::string(option) +
                            " is given, but the stages of one warp's request do not depend on it");
  if (!tool::parse(app, argc, argv, help)) return false;
  tool::demand_values(app);
  if (machine != "dmm")
    throw tool::failure("--machine is " + tool::in_quotes(machine) +
                        "; accepted: dmm, since the banks of a DMM are what shifts are for");
  read("--width", width, 1, max_width, o.width);
  read("--seed", seed, 0, INT64_MAX, o.seed);
  if (!svg.empty()) o.svg = svg;
  return true;
}

std::string decimal(double x) { return mmm::report::detail::decimal(x, 6); }

}  // namespace

std::string run(int argc, char const* const* argv) {
  options o;
  std::string help;
  if (!parse(argc, argv, o, help)) return help;
  auto const access = value_of(accesses, "--access", o.access);
  auto const scheme = value_of(schemes, "--scheme", o.scheme);
  mmm::dmm<mmm::dynamic, 1> const machine(o.width);
  mmm::shift_sample sample;
  sample.seed = static_cast<std::uint64_t>(o.seed);
  mmm::expected_stages const found = mmm::expected_congestion(machine, access, scheme, sample);
  // A congestion that all shifts have is its own bound.
  using mmm::matrix_access, mmm::shift_scheme;
  bool const certain = access == matrix_access::contiguous ||
                       (access == matrix_access::stride && scheme != shift_scheme::ras) ||
                       (access == matrix_access::diagonal && scheme == shift_scheme::none);
  double const bound = certain ? found.value : mmm::expected_congestion_bound(o.width);
  std::string const title = o.access + " access, " +
                            (scheme == mmm::shift_scheme::none ? "no" : o.scheme) +
                            " shift, width " + std::to_string(o.width);
  tool::output_file svg("--svg", o.svg);
  svg.write([&](std::ofstream& out) { out << mmm::report::svg(found, title); });
  if (!o.json) {
    std::string text = title + "\n" + mmm::report::text(found);
    text += "upper bound " + decimal(bound) + "\n";
    return text;
  }
  std::vector<double> const probability(found.probability + 1, found.probability + o.width + 1);
  nlohmann::ordered_json const object{{"algorithm", "random-shift"},
                                      {"machine", {{"kind", "dmm"}, {"width", o.width}}},
                                      {"access", o.access},
                                      {"scheme", o.scheme},
                                      {"expected_congestion", found.value},
                                      {"exact", found.exact},
                                      {"interval", {found.low, found.high}},
                                      {"confidence", found.confidence},
                                      {"samples", found.samples},
                                      {"upper_bound", bound},
                                      {"probability", probability}};
  return object.dump() + "\n";
}

}  // namespace explore::random_shift
