// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sarif.hpp"

#include <mmm/core/config.hpp>

#include <nlohmann/json.hpp>

#include <map>
#include <string_view>

namespace device::report {

namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view growth_rule = "baseline";

//! A path as a reference of a URI: what is no letter, digit or mark is %XX.
std::string uri_of(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view unescaped =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string result = path.starts_with('/') ? "file://" : "";
  for (char const c : path) {
    if (unescaped.find(c) != std::string_view::npos) {
      result += c;
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    result += '%';
    result += digits[byte >> 4U];
    result += digits[byte & 15U];
  }
  return result;
}

json location_of(std::string const& file, std::uint32_t line, std::string const& kernel) {
  json location = json::object();
  if (!file.empty() && line != 0)
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(file)}}},
                                    {"region", {{"startLine", line}}}};
  if (!kernel.empty())
    location["logicalLocations"] =
        json::array({{{"fullyQualifiedName", kernel}, {"kind", "function"}}});
  return location.empty() ? json::array() : json::array({location});
}

//! The rules that results name, in the order of their first use.
struct sarif_rules {
  json all = json::array();
  std::map<std::string, std::size_t> numbers{};

  std::size_t number(std::string const& id, std::string const& description) {
    auto const [found, is_new] = numbers.try_emplace(id, numbers.size());
    if (is_new) all.push_back({{"id", id}, {"shortDescription", {{"text", description}}}});
    return found->second;
  }
};

}  // namespace

std::string sarif_text(finding_list const& findings, comparison const& compared) {
  sarif_rules rules;
  json results = json::array();
  auto const add = [&](std::string const& id, std::string const& description,
                       std::string const& message, std::uint64_t count, json locations,
                       char const* level) {
    std::size_t const number = rules.number(id, description);
    results.push_back({{"ruleId", id},
                       {"ruleIndex", number},
                       {"level", level},
                       {"message", {{"text", message}}},
                       {"occurrenceCount", count},
                       {"locations", std::move(locations)}});
  };
  for (repeated_finding const& r : findings.all()) {
    std::string const check = name_of(r.shown.check);
    add(check, "An error that mmm-run --check " + check + " finds", r.shown.message, r.count,
        location_of(r.shown.file, r.shown.line, r.shown.kernel),
        r.shown.fails ? "error" : "warning");
  }
  for (growth const& g : compared.grown)
    add(std::string(growth_rule), "A figure is greater than in the baseline",
        std::string(name_of(g.figure)) + " of " + (g.line == 0 ? "the kernel " : "this line in ") +
            g.kernel + " was " + std::to_string(g.before) + " and is " + std::to_string(g.now),
        1, location_of(g.file, g.line, g.kernel), "error");
  std::string const version = std::to_string(MMM_VERSION / 10000) + '.' +
                              std::to_string(MMM_VERSION / 100 % 100) + '.' +
                              std::to_string(MMM_VERSION % 100);
  json const driver = {{"name", "mmm-run"}, {"version", version}, {"rules", rules.all}};
  json const run = {{"tool", {{"driver", driver}}}, {"results", results}};
  json const log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", json::array({run})}};
  return log.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace device::report
