// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "baseline_record.hpp"

#include <device/report/limit_check.hpp>
#include <device/report/source_text.hpp>

#include <algorithm>

namespace device::report {

baseline baseline_of(std::vector<kernel_record const*> const& kernels, place_table const& places) {
  baseline result;
  source_text source;
  for (kernel_record const* const k : kernels) {
    auto& own = result.kernels.emplace_back();
    own.name = k->name;
    own.launches = k->launches;
    own.figures = figures_of(*k);
    for (auto const& [where, s] : lines_of(k->sites, places, attribution::with_libraries)) {
      if (!where.known()) continue;
      std::string_view text = source.line(places.path(where), where.line);
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
      own.lines.push_back({places.file(where), where.line, std::string(text), figures_of(s, 0)});
    }
  }
  return result;
}

}  // namespace device::report
