// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suppressions.hpp"

#include "demangled.hpp"
#include "failure.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace device {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  std::size_t const begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string check_names() {
  std::string names = "all";
  for (int k = 0; k < check_kinds; ++k)
    names += ", " + std::string(name_of(static_cast<check_kind>(k)));
  return names;
}

bool is_check(std::string_view name) {
  for (int k = 0; k < check_kinds; ++k)
    if (name == name_of(static_cast<check_kind>(k))) return true;
  return name == "all";
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void suppressions::add(std::string_view text, std::string const& name) {
  for (int number = 1; !text.empty(); ++number) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    std::string_view const line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    std::size_t const colon = line.find(':');
    std::string_view const check = line.substr(0, colon);
    std::string_view const pattern =
        colon == std::string_view::npos ? std::string_view{} : trimmed(line.substr(colon + 1));
    if (pattern.empty() || !is_check(check))
      throw unsupported(
          "suppressions " + name + ": line " + std::to_string(number) + " is \"" +
          std::string(line) +
          "\"; accepted: CHECK:PART_OF_A_FUNCTION_OR_FILE, a comment after #; CHECK: " +
          check_names());
    rules_.push_back({std::string(check), std::string(pattern), '*' + std::string(pattern) + '*',
                      name + ", line " + std::to_string(number), false});
  }
}

void suppressions::add_file(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad())
    throw unsupported("suppressions " + path + ": the file cannot be read");
  add(text, path);
}

void suppressions::add_defaults() {
  std::size_t const before = rules_.size();
  add(default_suppressions(), "built in");
  for (std::size_t k = before; k < rules_.size(); ++k) rules_[k].in_toolkit = true;
}

std::string const& suppressions::demangled(std::string const& function) {
  auto const [found, is_new] = demangled_.try_emplace(function, function);
  if (is_new) found->second = device::demangled(function);
  return found->second;
}

bool suppressions::matches_path(rule const& r, std::vector<source_line> const& path) {
  return std::any_of(path.begin(), path.end(), [&](source_line const& l) {
    return matches(r.within, l.file) ||
           (!l.function.empty() && matches(r.within, demangled(l.function)));
  });
}

bool suppressions::suppress(finding const& f) {
  for (rule& r : rules_) {
    if (r.check != "all" && r.check != name_of(f.check)) continue;
    if (r.in_toolkit && !f.in_toolkit) continue;
    if (!matches(r.within, f.kernel) && !matches_path(r, f.path) && !matches_path(r, f.other_path))
      continue;
    ++r.count;
    return true;
  }
  return false;
}

std::string suppressions::report() const {
  std::string text;
  for (rule const& r : rules_)
    if (r.count != 0)
      text += "mmm-run: suppressed " + std::to_string(r.count) +
              (r.count == 1 ? " time" : " times") + " by " + r.check + ':' + r.pattern + " (" +
              r.origin + ")\n";
  return text;
}

std::string_view default_suppressions() {
  return R"(# The last thread that leaves a cuda::pipeline ends its barriers by a plain store, after
# other threads arrived there by atomic operations.
race:cuda::*pipeline<*>::quit()
# In collectives of tiles of more than 32 threads, lane 0 meets the other warps, and the other lanes
# learn of it by a shuffle, which orders no memory. Nor does anything between lanes that read a
# result and the next collective of their warp, which overwrites it.
race:cooperative_groups::*multi_warp_tile_base<*>::collectives_scheme
)";
}

}  // namespace device
