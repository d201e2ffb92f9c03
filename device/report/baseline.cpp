// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "baseline.hpp"

#include <device/core/failure.hpp>
#include <device/report/names.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace device::report {

namespace {

using json = nlohmann::ordered_json;

constexpr int baseline_version = 1;

//! Two kernels of different names are the same if this share of their lines is.
constexpr double same_kernel = 0.5;

json figures_json(figure_values const& values) {
  json result = json::object();
  for (std::size_t k = 0; k < limited_figures; ++k)
    if (values[k] != 0) result[name_of(static_cast<limited_figure>(k))] = values[k];
  return result;
}

std::string dumped(json const& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

std::optional<std::size_t> figure_named(std::string_view name) {
  for (std::size_t k = 0; k < limited_figures; ++k)
    if (name_of(static_cast<limited_figure>(k)) == name) return k;
  return {};
}

//! Reads one file, whose name messages begin with.
struct baseline_reader {
  std::string const& name;

  [[noreturn]] void refuse(std::string const& reason) const {
    throw unsupported("baseline " + name + ": " + reason +
                      "; accepted: a file that --write-baseline wrote");
  }
  [[nodiscard]] json const& member(json const& object, char const* key, json::value_t type) const {
    if (!object.is_object() || !object.contains(key))
      refuse(std::string("the member \"") + key + "\" is missing");
    json const& found = object.at(key);
    if (found.type() != type)
      refuse(std::string("\"") + key + "\" is " + std::string(found.type_name()));
    return found;
  }
  [[nodiscard]] figure_values figures(json const& object) const {
    figure_values result{};
    for (auto const& [key, value] : member(object, "figures", json::value_t::object).items()) {
      auto const k = figure_named(key);
      if (!k) refuse("unknown figure \"" + key + '"');
      if (!value.is_number_unsigned()) refuse('"' + key + "\" is " + value.dump());
      result[*k] = value.get<std::uint64_t>();
    }
    return result;
  }
  [[nodiscard]] baseline::of_line line(json const& j) const {
    auto const number = member(j, "line", json::value_t::number_unsigned).get<std::uint64_t>();
    return {member(j, "file", json::value_t::string).get<std::string>(),
            static_cast<std::uint32_t>(number),
            member(j, "text", json::value_t::string).get<std::string>(), figures(j)};
  }
};

std::string without_comments(std::string_view line) {
  std::string result;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line.substr(k, 2) == "//") break;
    if (line.substr(k, 2) == "/*") {
      std::size_t const end = line.find("*/", k + 2);
      if (end == std::string_view::npos) break;
      k = end + 1;
      continue;
    }
    result += line[k];
  }
  return result;
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

//! Pairs equal keys in their order: of each `now` the index of its `before`. Keys that are empty
//! are not paired.
void pair_equal(std::vector<std::string> const& before, std::vector<std::string> const& now,
                std::vector<bool>& used, std::vector<std::optional<std::size_t>>& of_now) {
  std::multimap<std::string, std::size_t> open;  // equal keys keep the order of insertion
  for (std::size_t k = 0; k < before.size(); ++k)
    if (!used[k] && !before[k].empty()) open.emplace(before[k], k);
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (of_now[k]) continue;
    auto const found = open.lower_bound(now[k]);
    if (found == open.end() || found->first != now[k]) continue;
    of_now[k] = found->second;
    used[found->second] = true;
    open.erase(found);
  }
}

using kernel_lines = std::vector<baseline::of_line>;

template <class Key>
std::vector<std::string> keys_of(kernel_lines const& lines, Key key) {
  std::vector<std::string> keys;
  for (baseline::of_line const& l : lines) keys.push_back(key(l));
  return keys;
}

struct line_pairs {
  std::vector<std::optional<std::size_t>> of_now{};
  std::vector<bool> used{};  //!< of the lines before
};

line_pairs paired(kernel_lines const& before, kernel_lines const& now) {
  line_pairs result{std::vector<std::optional<std::size_t>>(now.size()),
                    std::vector<bool>(before.size())};
  auto const text = [](baseline::of_line const& l) { return l.text; };
  auto const shape = [](baseline::of_line const& l) { return shape_of(l.text); };
  auto const number = [](baseline::of_line const& l) {  // where no source could be read
    return l.text.empty() ? l.file + ':' + std::to_string(l.line) : std::string{};
  };
  pair_equal(keys_of(before, text), keys_of(now, text), result.used, result.of_now);
  pair_equal(keys_of(before, shape), keys_of(now, shape), result.used, result.of_now);
  pair_equal(keys_of(before, number), keys_of(now, number), result.used, result.of_now);
  return result;
}

//! The share of lines that two kernels have in common; 1 for two without text and equal figures.
double likeness(baseline::of_kernel const& a, baseline::of_kernel const& b) {
  auto const has_text = [](baseline::of_line const& l) { return !l.text.empty(); };
  auto const n = std::count_if(a.lines.begin(), a.lines.end(), has_text) +
                 std::count_if(b.lines.begin(), b.lines.end(), has_text);
  if (n == 0) return a.figures == b.figures ? 1.0 : 0.0;
  line_pairs const pairs = paired(a.lines, b.lines);
  auto const common = std::count_if(pairs.of_now.begin(), pairs.of_now.end(),
                                    [](auto const& p) { return p.has_value(); });
  return 2.0 * static_cast<double>(common) / static_cast<double>(n);
}

//! The index before of each kernel now.
std::vector<std::optional<std::size_t>> paired_kernels(baseline const& before, baseline const& now,
                                                       std::vector<bool>& used) {
  std::vector<std::optional<std::size_t>> of_now(now.kernels.size());
  auto const by = [&](auto key) {
    std::vector<std::string> b;
    std::vector<std::string> n;
    for (auto const& k : before.kernels) b.push_back(key(k.name));
    for (auto const& k : now.kernels) n.push_back(key(k.name));
    pair_equal(b, n, used, of_now);
  };
  by([](std::string const& name) { return name; });
  struct candidate {
    double like;
    std::size_t before, now;
  };
  std::vector<candidate> candidates;
  for (std::size_t n = 0; n < now.kernels.size(); ++n)
    for (std::size_t b = 0; !of_now[n] && b < before.kernels.size(); ++b) {
      if (used[b]) continue;
      baseline::of_kernel const& old_kernel = before.kernels[b];
      baseline::of_kernel const& new_kernel = now.kernels[n];
      bool const same_name = bare_name(old_kernel.name) == bare_name(new_kernel.name);
      double const like = likeness(old_kernel, new_kernel) + (same_name ? 1.0 : 0.0);
      if (like >= same_kernel) candidates.push_back({like, b, n});
    }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](candidate const& a, candidate const& b) { return a.like > b.like; });
  for (candidate const& c : candidates)
    if (!used[c.before] && !of_now[c.now]) {
      of_now[c.now] = c.before;
      used[c.before] = true;
    }
  return of_now;
}

bool grew(std::uint64_t before, std::uint64_t now, double percent) {
  return static_cast<double>(now) > static_cast<double>(before) * (1.0 + percent / 100.0);
}

//! The requests that a figure of memory is about; nothing for requests and other figures.
std::optional<std::uint64_t> requests_of(limited_figure f, figure_values const& values) {
  auto const value = [&](limited_figure k) { return values[static_cast<std::size_t>(k)]; };
  switch (f) {
    case limited_figure::shared_wavefronts:
    case limited_figure::shared_excessive:
      return value(limited_figure::shared_requests);
    case limited_figure::global_sectors:
    case limited_figure::global_excess_sectors:
      return value(limited_figure::global_requests);
    case limited_figure::local_sectors:
      return value(limited_figure::local_requests);
    case limited_figure::atomic_serialized:
      return value(limited_figure::shared_requests) + value(limited_figure::global_requests);
    default:
      return {};
  }
}

//! True for a line whose figure may be compared though that of the kernel has not grown. The
//! compiler chooses the line of a value that several lines load, so that a line with more requests
//! than before has them from another one.
bool is_of_line(limited_figure f, figure_values const& before, figure_values const& now) {
  auto const requests = requests_of(f, now);
  return requests && *requests <= *requests_of(f, before);
}

//! True for a kernel with machine code, whose resources are known: no kernel has no registers.
bool has_resources(baseline::of_kernel const& k) {
  return k.figures[static_cast<std::size_t>(limited_figure::registers)] != 0;
}

void compare_kernels(baseline::of_kernel const& before, baseline::of_kernel const& now,
                     tolerances const& allowed, std::vector<growth>& grown) {
  line_pairs const pairs = paired(before.lines, now.lines);
  for (std::size_t k = 0; k < limited_figures; ++k) {
    auto const f = static_cast<limited_figure>(k);
    if (is_of_machine_code(f) && !(has_resources(before) && has_resources(now))) continue;
    bool const whole = grew(before.figures[k], now.figures[k], allowed[k]);
    if (whole) grown.push_back({now.name, {}, 0, f, before.figures[k], now.figures[k]});
    std::uint64_t gone = 0;
    for (std::size_t b = 0; b < before.lines.size(); ++b)
      if (!pairs.used[b]) gone += before.lines[b].figures[k];
    std::uint64_t more = 0;
    std::vector<growth> lines;
    for (std::size_t n = 0; n < now.lines.size(); ++n) {
      auto const& own = now.lines[n];
      static constexpr figure_values nothing{};
      figure_values const& old_figures =
          pairs.of_now[n] ? before.lines[*pairs.of_now[n]].figures : nothing;
      std::uint64_t const was = old_figures[k];
      if (!grew(was, own.figures[k], allowed[k])) continue;
      if (!whole && !(pairs.of_now[n] && is_of_line(f, old_figures, own.figures))) continue;
      more += own.figures[k] - was;
      lines.push_back({now.name, own.file, own.line, f, was, own.figures[k]});
    }
    if (whole || more > gone) grown.insert(grown.end(), lines.begin(), lines.end());
  }
}

}  // namespace

std::string shape_of(std::string_view line) {
  std::string const code = without_comments(line);
  std::string result;
  std::map<std::string, std::size_t> names;
  std::map<std::string, std::size_t> members;  // x and threadIdx.x are two names
  for (std::size_t k = 0; k < code.size();) {
    if (std::isspace(static_cast<unsigned char>(code[k])) != 0) {
      ++k;
      continue;
    }
    if (!in_name(code[k])) {
      result += code[k++];
      continue;
    }
    std::size_t const begin = k;
    while (k < code.size() && in_name(code[k])) ++k;
    std::string const word = code.substr(begin, k - begin);
    bool const is_member = result.ends_with('.') || result.ends_with("->");
    auto& known = is_member ? members : names;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0)
      result += ' ' + word;
    else
      result += '$' + std::to_string(known.try_emplace(word, known.size()).first->second);
  }
  return result;
}

std::string json_text(baseline const& b) {
  std::string result =
      "{\"mmm_run_baseline\": " + std::to_string(baseline_version) + ", \"kernels\": [";
  bool first = true;
  for (baseline::of_kernel const& k : b.kernels) {
    result += first ? "\n" : ",\n";
    first = false;
    result += "{\"name\": " + dumped(k.name) + ", \"launches\": " + std::to_string(k.launches) +
              ", \"figures\": " + dumped(figures_json(k.figures)) + ", \"lines\": [";
    bool first_line = true;
    for (baseline::of_line const& l : k.lines) {
      result += first_line ? "\n  " : ",\n  ";
      first_line = false;
      result += dumped({{"file", l.file},
                        {"line", l.line},
                        {"text", l.text},
                        {"figures", figures_json(l.figures)}});
    }
    result += "]}";
  }
  return result + "]}\n";
}

baseline parse_baseline(std::string const& text, std::string const& name) {
  baseline_reader const r{name};
  json all;
  try {
    all = json::parse(text);
  } catch (json::exception const& e) {
    r.refuse(std::string("no JSON: ") + e.what());
  }
  json const& version = r.member(all, "mmm_run_baseline", json::value_t::number_unsigned);
  if (version != baseline_version) r.refuse("\"mmm_run_baseline\" is " + version.dump());
  baseline result;
  for (json const& k : r.member(all, "kernels", json::value_t::array)) {
    auto& own = result.kernels.emplace_back();
    own.name = r.member(k, "name", json::value_t::string).get<std::string>();
    own.launches = r.member(k, "launches", json::value_t::number_unsigned).get<std::uint64_t>();
    own.figures = r.figures(k);
    for (json const& l : r.member(k, "lines", json::value_t::array)) own.lines.push_back(r.line(l));
  }
  return result;
}

baseline read_baseline(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad())
    throw unsupported("baseline " + path + ": the file cannot be read");
  return parse_baseline(text, path);
}

tolerances default_tolerances() {
  tolerances t{};
  t[static_cast<std::size_t>(limited_figure::instructions)] = 5;
  t[static_cast<std::size_t>(limited_figure::lanes)] = 5;
  t[static_cast<std::size_t>(limited_figure::registers)] = 10;
  return t;
}

tolerances parse_tolerances(std::string_view text) {
  auto const refuse = [&] {
    std::string figures;
    for (std::size_t k = 0; k < limited_figures; ++k)
      figures += (k == 0 ? "" : ", ") + std::string(name_of(static_cast<limited_figure>(k)));
    throw unsupported("the tolerance is \"" + std::string(text) +
                      "\"; accepted: percent from 0 to 1000, for all figures (3) or for one "
                      "(lanes=10), with commas between them; figures: " +
                      figures);
  };
  tolerances result = default_tolerances();
  std::string_view rest = text;
  for (bool more = true; more;) {
    std::size_t const comma = rest.find(',');
    std::string_view part = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    std::optional<std::size_t> figure;
    if (std::size_t const equal = part.find('='); equal != std::string_view::npos) {
      figure = figure_named(part.substr(0, equal));
      if (!figure) refuse();
      part.remove_prefix(equal + 1);
    }
    if (part.ends_with('%')) part.remove_suffix(1);
    std::string const number(part);
    if (number.empty() || number.find_first_not_of("0123456789.") != std::string::npos ||
        std::count(number.begin(), number.end(), '.') > 1 || number == ".")
      refuse();
    double const percent = std::strtod(number.c_str(), nullptr);
    if (!(percent <= 1000)) refuse();
    if (figure)
      result[*figure] = percent;
    else
      result.fill(percent);
  }
  return result;
}

comparison compare(baseline const& before, baseline const& now, tolerances const& allowed) {
  comparison result;
  std::vector<bool> used(before.kernels.size());
  auto const of_now = paired_kernels(before, now, used);
  for (std::size_t n = 0; n < now.kernels.size(); ++n)
    if (of_now[n]) {
      baseline::of_kernel const& old_kernel = before.kernels[*of_now[n]];
      compare_kernels(old_kernel, now.kernels[n], allowed, result.grown);
      if (has_resources(old_kernel) != has_resources(now.kernels[n]))
        result.without_resources.push_back(now.kernels[n].name);
    } else {
      result.unknown.push_back(now.kernels[n].name);
    }
  for (std::size_t b = 0; b < used.size(); ++b)
    if (!used[b]) result.gone.push_back(before.kernels[b].name);
  return result;
}

std::string table_text(comparison const& c) {
  if (c.grown.empty()) return {};
  std::vector<std::array<std::string, 4>> rows = {{"figure", "before", "now", "kernel or line"}};
  for (growth const& g : c.grown)
    rows.push_back({std::string(name_of(g.figure)), std::to_string(g.before), std::to_string(g.now),
                    g.line == 0 ? g.kernel : "  " + g.file + ':' + std::to_string(g.line)});
  std::array<std::size_t, 3> widths{};
  for (auto const& row : rows)
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  std::string text = "mmm-run: more than in the baseline:\n";
  for (auto const& row : rows) {
    text += row[0] + std::string(widths[0] - row[0].size(), ' ');
    for (std::size_t k = 1; k < widths.size(); ++k)
      text += "  " + std::string(widths[k] - row[k].size(), ' ') + row[k];
    text += "  " + row[3] + '\n';
  }
  return text;
}

}  // namespace device::report
