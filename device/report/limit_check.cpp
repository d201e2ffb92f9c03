// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "limit_check.hpp"

#include "names.hpp"

namespace device::report {

namespace {

void hold(std::string const& subject, figure_values const& found, allowance const& allowed,
          std::string const& by, std::vector<std::string>& exceeded) {
  for (std::size_t k = 0; k < limited_figures; ++k)
    if (allowed[k] && found[k] > *allowed[k])
      exceeded.push_back(subject + ": " + std::string(name_of(static_cast<limited_figure>(k))) +
                         " is " + std::to_string(found[k]) + ", the limit (" + by + ") is " +
                         std::to_string(*allowed[k]));
}

}  // namespace

figure_values figures_of(sum const& s, std::uint64_t findings) {
  count::request_figures const shared = s.figures(space::shared);
  count::request_figures const global = s.figures(space::global);
  count::request_figures const local = s.figures(space::local);
  auto const u = [](index n) { return static_cast<std::uint64_t>(n); };
  return {u(shared.requests),
          u(shared.transfers),
          u(shared.excessive()),
          u(global.requests),
          u(global.transfers),
          u(global.excessive()),
          u(local.requests),
          u(local.transfers),
          u(shared.serialized + global.serialized),
          s.executed(),
          s.lanes,
          s.barriers,
          findings,
          0,
          0};
}

figure_values figures_of(kernel_record const& k) {
  figure_values figures = figures_of(k.all, k.findings.count());
  if (k.resources) {
    figures[static_cast<std::size_t>(limited_figure::registers)] = k.resources->registers;
    figures[static_cast<std::size_t>(limited_figure::stack_bytes)] = k.resources->stack_bytes;
  }
  return figures;
}

limit_verdict check_limits(limits const& l, std::vector<kernel_record const*> const& kernels,
                           finding_list const& findings, place_table const& places) {
  limit_verdict result;
  std::vector<bool> used(l.kernels.size());
  std::map<place, sum> lines;
  for (kernel_record const* const k : kernels) {
    auto const figures = figures_of(*k);
    auto const hold_kernel = [&](allowance const& allowed, std::string const& by) {
      hold(k->name, figures, allowed, by, result.exceeded);
      for (auto const f : {limited_figure::registers, limited_figure::stack_bytes})
        if (!k->resources && allowed[static_cast<std::size_t>(f)])
          result.unused.push_back(std::string(name_of(f)) + " of " + k->name +
                                  " are not known, as the program has no machine code for the GPU");
    };
    bool matched = false;
    for (std::size_t p = 0; p < l.kernels.size(); ++p) {
      if (!matches_kernel(l.kernels[p].first, k->name)) continue;
      matched = used[p] = true;
      hold_kernel(l.kernels[p].second, '"' + l.kernels[p].first + '"');
    }
    if (!matched && l.otherwise) hold_kernel(*l.otherwise, "default");
    if (l.lines.empty()) continue;
    for (auto const& [where, s] : lines_of(k->sites, places, attribution::with_inlined))
      lines[where] += s;
  }
  for (std::size_t p = 0; p < used.size(); ++p)
    if (!used[p]) result.unused.push_back("no kernel matches \"" + l.kernels[p].first + '"');
  for (limits::of_line const& limited : l.lines) {
    std::string const name = limited.file + ':' + std::to_string(limited.line);
    sum all;
    bool found = false;
    for (auto const& [where, s] : lines)
      if (where.line == limited.line && is_file(limited.file, places.path(where))) {
        all += s;
        found = true;
      }
    std::uint64_t count = 0;
    for (repeated_finding const& r : findings.all())
      if (r.shown.line == limited.line && is_file(limited.file, r.shown.file)) count += r.count;
    if (!found && count == 0) result.unused.push_back("no instruction is from " + name);
    hold(name, figures_of(all, count), limited.allowed, "lines", result.exceeded);
  }
  return result;
}

}  // namespace device::report
