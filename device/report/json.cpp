// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace device::report {

namespace {

using json = nlohmann::ordered_json;

json figures_of(sum const& s, space where, access_kind kind) {
  count::request_figures const f = s.figures(where, kind);
  json result = {{"requests", f.requests},
                 {where == space::shared ? "wavefronts" : "sectors", f.transfers},
                 {"ideal", f.ideal}};
  if (where == space::shared) result["excessive"] = f.excessive();
  if (kind == access_kind::update) result["serialized"] = f.serialized;
  return result;
}

json memory_of(sum const& s, space where) {
  json result = {{"load", figures_of(s, where, access_kind::read)},
                 {"store", figures_of(s, where, access_kind::write)}};
  if (where != space::local) result["atomic"] = figures_of(s, where, access_kind::update);
  return result;
}

json instructions_of(sum const& s) {
  json result = {{"all", s.executed()}};
  for (std::size_t k = 0; k < s.instructions.size(); ++k)
    result[name_of(static_cast<instruction_kind>(k))] = s.instructions[k];
  return result;
}

void add_sum(json& to, sum const& s) {
  to["shared"] = memory_of(s, space::shared);
  to["global"] = memory_of(s, space::global);
  to["local"] = memory_of(s, space::local);
  to["instructions"] = instructions_of(s);
  to["average_lanes"] = std::round(s.average_lanes() * 1e4) / 1e4;
  to["barriers"] = s.barriers;
}

json place_of(place where, place_table const& places) {
  return {{"file", places.file(where)}, {"line", where.line}};
}

//! The figures of each line, apart by the line of another file at which its function was called.
json lines_of(std::map<std::uint32_t, sum> const& sites, place_table const& places) {
  std::map<std::pair<place, place>, sum> found;
  for (auto const& [number, s] : sites) {
    site const& chain = places.at(number);
    auto const called = std::find_if(chain.begin(), chain.end(),
                                     [&](place p) { return p.file != chain.front().file; });
    found[{chain.front(), called == chain.end() ? place{} : *called}] += s;
  }
  json lines = json::array();
  for (auto const& [where, s] : found) {
    json line = place_of(where.first, places);
    if (where.second.known()) line["called_at"] = place_of(where.second, places);
    add_sum(line, s);
    lines.push_back(std::move(line));
  }
  return lines;
}

json size_of(dim3 const& d) { return json::array({d.x, d.y, d.z}); }

json findings_of(finding_list const& list) {
  json all = json::array();
  for (repeated_finding const& r : list.all()) {
    json one = {{"check", name_of(r.shown.check)},
                {"file", r.shown.file},
                {"line", r.shown.line},
                {"count", r.count},
                {"message", r.shown.message}};
    if (r.shown.path.size() > 1)
      for (source_line const& l : r.shown.path)
        one["path"].push_back({{"file", l.file}, {"line", l.line}});
    if (r.shown.in_toolkit) one["in_toolkit"] = true;
    all.push_back(std::move(one));
  }
  return all;
}

//! Messages may hold what a program printed or named: bytes that are no UTF-8 are replaced, not
//! refused.
std::string text_of(json const& j) {
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

json figures_of(kernel_record const& k, place_table const& places) {
  json all = {{"kernel", k.name}, {"launches", k.launches}, {"failed", k.failures}};
  add_sum(all, k.all);
  all["lines"] = lines_of(k.sites, places);
  return all;
}

}  // namespace

std::string json_text(launch_record const& l, place_table const& places) {
  json all = {{"kernel", l.kernel},
              {"launch", l.number},
              {"grid", size_of(l.grid)},
              {"block", size_of(l.block)}};
  if (l.executed_blocks < l.grid.count()) all["executed_blocks"] = l.executed_blocks;
  if (l.by) all["launched_by"] = {{"kernel", l.by->kernel}, {"launch", l.by->parent}};
  add_sum(all, l.all);
  all["lines"] = lines_of(l.sites, places);
  all["findings"] = findings_of(l.findings);
  if (!l.failure.empty()) all["failed"] = l.failure;
  return text_of(all);
}

std::string json_text(finding_list const& list) {
  return text_of({{"findings", findings_of(list)}});
}

std::string json_text(recording const& r, place_table const& places) {
  json all = {{"kernels", json::array()}};
  std::map<std::uint32_t, sum> sites;
  for (kernel_record const* const k : r.kernels()) {
    all["kernels"].push_back(figures_of(*k, places));
    for (auto const& [number, s] : k->sites) sites[number] += s;
  }
  all["lines"] = lines_of(sites, places);
  all["findings"] = findings_of(r.findings());
  for (std::size_t k = 0; k < all["findings"].size(); ++k) {
    repeated_finding const& f = r.findings().all()[k];
    all["findings"][k]["kernel"] = f.shown.kernel;
    all["findings"][k]["text"] = text(f);
  }
  return text_of(all);
}

}  // namespace device::report
