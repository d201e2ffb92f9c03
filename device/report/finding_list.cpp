// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finding_list.hpp"

#include <device/decode/source_place.hpp>

#include <algorithm>

namespace device::report {

bool finding_list::same(finding const& a, finding const& b) {
  if (a.check != b.check || a.file != b.file || a.line != b.line) return false;
  if (a.line != 0) return true;
  // each leak is one of its own
  return a.kernel == b.kernel && (!a.kernel.empty() || a.message == b.message);
}

void finding_list::add(finding const& f, std::uint64_t count) {
  auto const known =
      std::find_if(all_.begin(), all_.end(), [&](auto const& r) { return same(r.shown, f); });
  if (known == all_.end()) {
    all_.push_back({f, count});
    return;
  }
  known->count += count;
  if (known->shown.between < f.between) known->shown = f;
}

void finding_list::put_causes_first() {
  auto const is_at = [](finding const& f, std::vector<source_line> const& path) {
    return std::any_of(path.begin(), path.end(),
                       [&](source_line const& l) { return l.line == f.line && l.file == f.file; });
  };
  std::vector<finding const*> causes;
  for (repeated_finding& u : all_) {
    if (u.shown.check != check_kind::uninitialized || u.shown.line == 0) continue;
    auto const cause = std::find_if(all_.begin(), all_.end(), [&](repeated_finding const& r) {
      return r.shown.check == check_kind::race &&
             (is_at(u.shown, r.shown.path) || is_at(u.shown, r.shown.other_path));
    });
    if (cause == all_.end()) continue;
    causes.push_back(&cause->shown);
    u.shown.message += "; the race at " + cause->shown.file + ':' +
                       std::to_string(cause->shown.line) + " may be the cause";
  }
  std::vector<bool> is_cause;
  for (repeated_finding const& r : all_)
    is_cause.push_back(std::find(causes.begin(), causes.end(), &r.shown) != causes.end());
  std::vector<repeated_finding> ordered;
  for (bool const first : {true, false})
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (is_cause[k] == first) ordered.push_back(std::move(all_[k]));
  all_ = std::move(ordered);
}

std::size_t finding_list::different(bool in_toolkit) const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(),
                    [&](repeated_finding const& r) { return r.shown.in_toolkit == in_toolkit; }));
}

std::uint64_t finding_list::count() const {
  std::uint64_t sum = 0;
  for (repeated_finding const& r : all_) sum += r.count;
  return sum;
}

std::string text(repeated_finding const& r) {
  finding const& f = r.shown;
  std::string out = std::string("mmm-run: ") + name_of(f.check);
  if (f.in_toolkit) out += " in the toolkit's headers";
  if (f.line != 0) out += ": " + f.file + ':' + std::to_string(f.line);
  if (!f.kernel.empty())
    out += (f.line != 0 ? " in " : ": ") + f.kernel + ", launch " + std::to_string(f.launch);
  if (r.count > 1) out += " (" + std::to_string(r.count) + " times)";
  std::string message = f.message;
  for (std::size_t newline = 0; (newline = message.find('\n', newline)) != std::string::npos;
       newline += 10)
    message.replace(newline, 1, "\n         ");
  out += "\n         " + message + '\n';
  if (f.path.size() > 1) out += "         " + text(f.path) + '\n';
  return out;
}

std::string text(std::vector<source_line> const& path) {
  constexpr std::size_t max_lines = 6;
  std::string out;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (path.size() > max_lines && k == max_lines / 2) {
      k = path.size() - max_lines / 2;
      out += ", …";
    }
    std::string_view file = path[k].file;
    if (decode::is_of_toolkit(file)) {
      constexpr std::string_view include = "/include/";
      if (std::size_t const found = file.rfind(include); found != std::string_view::npos)
        file.remove_prefix(found + include.size());
    }
    out +=
        (k == 0 ? "at " : ", called at ") + std::string(file) + ':' + std::to_string(path[k].line);
  }
  return out;
}

}  // namespace device::report
