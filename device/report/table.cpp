// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table.hpp"

#include <mmm/report/table.hpp>

#include "names.hpp"

#include <algorithm>

namespace device::report {

namespace {

using std::to_string;

constexpr std::size_t max_rows = 40;
constexpr std::size_t max_lines = 10;
constexpr std::size_t name_width = 48;
constexpr std::size_t place_width = 40;

//! A place whose path is cut at its beginning where it is long.
std::string short_place(place p, place_table const& places) {
  std::string const whole = places.text(p);
  std::size_t const slash =
      whole.size() <= place_width ? 0 : whole.find('/', whole.size() - place_width);
  return slash == 0 || slash == std::string::npos ? whole : "…" + whole.substr(slash);
}

//! The ends of a site's path besides the author's own line: "in barrier.h:84, called at a.cu:12".
std::string path_text(site const& chain, place_table const& places) {
  place const own = places.own(chain);
  std::string text;
  if (chain.front() != own) text = "in " + short_place(chain.front(), places);
  if (chain.back() != own)
    text +=
        (text.empty() ? "" : ", ") + std::string("called at ") + short_place(chain.back(), places);
  return text;
}

//! Columns that are there only where some kernel has something to say.
struct optional_columns {
  bool local = false;
  bool serialized = false;
  bool failed = false;
  bool nested = false;
  bool in_toolkit = false;
};

index serialized(sum const& s) {
  return s.figures(space::shared).serialized + s.figures(space::global).serialized;
}

void add_row(mmm::report::table& to, std::string name, kernel_record const& k,
             optional_columns const& columns) {
  count::request_figures const shared = k.all.figures(space::shared);
  count::request_figures const global = k.all.figures(space::global);
  std::vector<std::string> row = {std::move(name), to_string(k.launches)};
  if (columns.nested) row.push_back(to_string(k.by_kernels));
  if (columns.failed) row.push_back(to_string(k.failures));
  for (index const n : {shared.transfers, shared.ideal, global.transfers, global.ideal})
    row.push_back(to_string(n));
  if (columns.local) row.push_back(to_string(k.all.figures(space::local).transfers));
  if (columns.serialized) row.push_back(to_string(serialized(k.all)));
  row.push_back(to_string(k.all.executed()));
  row.push_back(mmm::report::detail::decimal(k.all.average_lanes(), 1));
  row.push_back(to_string(k.findings.different(false)));
  if (columns.in_toolkit) row.push_back(to_string(k.findings.different(true)));
  to.add(std::move(row));
}

std::string kernels_text(std::vector<kernel_record const*> const& kernels) {
  optional_columns columns;
  for (kernel_record const* const k : kernels) {
    columns.local |= k->all.figures(space::local).requests != 0;
    columns.serialized |= serialized(k->all) != 0;
    columns.failed |= k->failures != 0;
    columns.nested |= k->by_kernels != 0;
    columns.in_toolkit |= k->findings.different(true) != 0;
  }
  std::vector<std::string> header = {"kernel", "launches"};
  if (columns.nested) header.emplace_back("by kernels");
  if (columns.failed) header.emplace_back("failed");
  for (char const* const h : {"wavefronts", "ideal", "sectors", "ideal"}) header.emplace_back(h);
  if (columns.local) header.emplace_back("local sectors");
  if (columns.serialized) header.emplace_back("serialized");
  for (char const* const h : {"instructions", "lanes", "findings"}) header.emplace_back(h);
  if (columns.in_toolkit) header.emplace_back("in the toolkit's headers");
  mmm::report::table rows(header);

  bool const all = kernels.size() <= max_rows;
  kernel_record others;
  std::size_t others_count = 0;
  for (kernel_record const* const k : kernels) {
    if (all || k->all.waste() != 0 || !k->findings.empty() || k->failures != 0) {
      add_row(rows, short_name(k->name, name_width), *k, columns);
      continue;
    }
    ++others_count;
    others.launches += k->launches;
    others.by_kernels += k->by_kernels;
    others.all += k->all;
  }
  if (others_count != 0)
    add_row(rows, to_string(others_count) + " others, without excess", others, columns);
  return mmm::report::text(rows);
}

std::string lines_text(std::vector<kernel_record const*> const& kernels,
                       place_table const& places) {
  std::vector<wasteful_line> const worst = wasteful_lines(kernels);
  if (worst.empty()) return {};
  mmm::report::table rows(
      {"worst lines", "path", "requests", "what", "takes", "ideal", "lanes", "kernel"});
  for (std::size_t k = 0; k < std::min(worst.size(), max_lines); ++k) {
    wasteful_line const& w = worst[k];
    site const& chain = places.at(w.site);
    rows.add({short_place(places.own(chain), places), path_text(chain, places),
              to_string(w.memory.figures.requests), w.access, to_string(w.memory.figures.transfers),
              to_string(w.memory.figures.ideal), mmm::report::detail::decimal(w.lanes, 1),
              short_name(w.kernel->name, name_width)});
  }
  std::string out = mmm::report::text(rows);
  if (worst.size() > max_lines) out += "and " + to_string(worst.size() - max_lines) + " more\n";
  if (std::all_of(worst.begin(), worst.end(),
                  [&](auto const& w) { return !places.at(w.site).front().known(); }))
    out += "Compile with -lineinfo to see the lines.\n";
  return out;
}

}  // namespace

std::string name_of(space where, access_kind kind) {
  std::string const memory = where == space::shared   ? "shared "
                             : where == space::global ? "global "
                                                      : "local ";
  return memory + mmm::gpu::name_of(kind);
}

namespace {

std::string access_text(sum const& of_line, memory_sum const& m) {
  std::string const name = name_of(m.where, m.kind);
  bool const is_only =
      std::all_of(of_line.memory.begin(), of_line.memory.end(), [&](memory_sum const& other) {
        return other.where != m.where || other.kind != m.kind || other.argument == m.argument;
      });
  if (is_only) return name;
  return name + (m.argument == 0 ? std::string(" of no argument")
                                 : " of argument " + to_string(m.argument));
}

}  // namespace

std::vector<wasteful_line> wasteful_lines(std::vector<kernel_record const*> const& kernels) {
  std::vector<wasteful_line> found;
  for (kernel_record const* const k : kernels)
    for (auto const& [number, s] : k->sites)
      for (memory_sum const& m : s.memory)
        if (m.figures.excessive() != 0)
          found.push_back({k, number, m, access_text(s, m), s.average_lanes()});
  std::stable_sort(found.begin(), found.end(), [](wasteful_line const& a, wasteful_line const& b) {
    return a.waste() > b.waste();
  });
  return found;
}

std::string table_text(std::vector<kernel_record const*> const& kernels,
                       place_table const& places) {
  if (kernels.empty()) return {};
  std::string const lines = lines_text(kernels, places);
  return kernels_text(kernels) + (lines.empty() ? "" : '\n' + lines);
}

}  // namespace device::report
