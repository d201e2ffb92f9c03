// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "limits.hpp"

#include <device/core/failure.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <fstream>
#include <iterator>
#include <set>

namespace device::report {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array<std::string_view, limited_figures> figure_names = {"shared_requests",
                                                                        "shared_wavefronts",
                                                                        "shared_excessive",
                                                                        "global_requests",
                                                                        "global_sectors",
                                                                        "global_excess_sectors",
                                                                        "local_requests",
                                                                        "local_sectors",
                                                                        "atomic_serialized",
                                                                        "instructions",
                                                                        "lanes",
                                                                        "barriers",
                                                                        "findings",
                                                                        "registers",
                                                                        "stack_bytes"};

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

//! Reads one file, whose name messages begin with.
struct reader {
  std::string const& name;

  [[noreturn]] void refuse(std::string const& reason) const {
    throw unsupported("limits " + name + ": " + reason);
  }

  [[nodiscard]] json parse(std::string const& text) const {
    // of each object that is open: JSON lets a key come twice, we do not
    std::vector<std::set<std::string>> keys;
    auto const watch = [&](int, json::parse_event_t event, json& value) {
      if (event == json::parse_event_t::object_start) keys.emplace_back();
      if (event == json::parse_event_t::object_end) keys.pop_back();
      if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
        refuse("the key " + value.dump() + " is there twice");
      return true;
    };
    try {
      return json::parse(text, watch);
    } catch (json::parse_error const& e) {
      refuse(std::string("no JSON: ") + e.what());
    }
  }

  [[nodiscard]] allowance allowed(json const& given, std::string const& key) const {
    if (!given.is_object())
      refuse(key + " is " + given.dump() + "; accepted: an object of figures");
    allowance result;
    for (auto const& [figure, max] : given.items()) {
      std::size_t k = 0;
      while (k < limited_figures && figure_names[k] != figure) ++k;
      if (k == limited_figures) {
        std::string names;
        for (std::string_view const n : figure_names)
          names += (names.empty() ? "" : ", ") + std::string(n);
        refuse("unknown key " + in_quotes(figure) + " in " + key + "; accepted: " + names);
      }
      if (!max.is_number_unsigned())
        refuse(in_quotes(figure) + " in " + key + " is " + max.dump() +
               "; accepted: a whole number from 0 on");
      result[k] = max.get<std::uint64_t>();
    }
    return result;
  }

  [[nodiscard]] limits::of_line line(std::string const& key, json const& value) const {
    limits::of_line result;
    std::size_t const colon = key.rfind(':');
    std::string_view const number =
        colon == std::string::npos ? std::string_view{} : std::string_view(key).substr(colon + 1);
    auto const [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), result.line);
    if (colon == 0 || number.empty() || error != std::errc{} ||
        end != number.data() + number.size() || result.line == 0)
      refuse("the key " + in_quotes(key) + " in \"lines\" is no line; accepted: \"file.cu:12\"");
    result.file = key.substr(0, colon);
    result.allowed = allowed(value, in_quotes(key));
    for (auto const f : {limited_figure::registers, limited_figure::stack_bytes})
      if (result.allowed[static_cast<std::size_t>(f)])
        refuse(in_quotes(name_of(f)) + " in " + in_quotes(key) +
               " is a figure of kernels; accepted for lines: all others");
    return result;
  }
};

}  // namespace

std::string_view name_of(limited_figure f) { return figure_names[static_cast<std::size_t>(f)]; }

limits parse_limits(std::string const& text, std::string const& name) {
  reader const r{name};
  json const all = r.parse(text);
  if (!all.is_object()) r.refuse("it is " + std::string(all.type_name()) + "; accepted: an object");
  limits result;
  for (auto const& [key, value] : all.items()) {
    if (key == "default") {
      result.otherwise = r.allowed(value, "\"default\"");
      continue;
    }
    if (key != "kernels" && key != "lines")
      r.refuse("unknown key " + in_quotes(key) + "; accepted: kernels, lines, default");
    if (!value.is_object())
      r.refuse(in_quotes(key) + " is " + value.dump() + "; accepted: an object");
    for (auto const& [name_or_line, figures] : value.items())
      if (key == "kernels")
        result.kernels.emplace_back(name_or_line, r.allowed(figures, in_quotes(name_or_line)));
      else
        result.lines.push_back(r.line(name_or_line, figures));
  }
  return result;
}

limits read_limits(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad())
    throw unsupported("limits " + path + ": the file cannot be read");
  return parse_limits(text, path);
}

}  // namespace device::report
