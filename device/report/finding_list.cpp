// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finding_list.hpp"

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

std::uint64_t finding_list::count() const {
  std::uint64_t sum = 0;
  for (repeated_finding const& r : all_) sum += r.count;
  return sum;
}

std::string text(repeated_finding const& r) {
  finding const& f = r.shown;
  std::string out = std::string("mmm-run: ") + name_of(f.check);
  if (f.line != 0) out += ": " + f.file + ':' + std::to_string(f.line);
  if (!f.kernel.empty())
    out += (f.line != 0 ? " in " : ": ") + f.kernel + ", launch " + std::to_string(f.launch);
  if (r.count > 1) out += " (" + std::to_string(r.count) + " times)";
  std::string message = f.message;
  for (std::size_t newline = 0; (newline = message.find('\n', newline)) != std::string::npos;
       newline += 10)
    message.replace(newline, 1, "\n         ");
  return out + "\n         " + message + '\n';
}

}  // namespace device::report
