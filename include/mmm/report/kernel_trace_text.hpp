// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/table.hpp>
#include <mmm/traced/kernel_trace.hpp>

#include <cstdio>
#include <string>

//! What a traced kernel did, in words.
namespace mmm::report {

//! A row for each access of the kernel, in the order of the source: line, requests, what, the
//! wavefronts or sectors that it takes, the ideal number, active lanes.
[[nodiscard]] inline table lines_of(gpu::kernel_trace const& trace) {
  table rows({"line", "requests", "what", "takes", "ideal", "excess", "lanes"});
  for (gpu::traced_line const& l : trace.lines) {
    std::string what = std::to_string(l.bytes) + "-byte ";
    what += l.space == gpu::memory_space::shared ? "shared " : "global ";
    what += l.use == gpu::access_use::load    ? "load"
            : l.use == gpu::access_use::store ? "store"
                                              : "atomic";
    char lanes[16];
    static_cast<void>(
        std::snprintf(lanes, sizeof lanes, "%.1f",
                      static_cast<double>(l.lanes) / static_cast<double>(l.requests)));
    rows.add({gpu::text(l.place), std::to_string(l.requests), what, std::to_string(l.transfers),
              std::to_string(l.ideal), std::to_string(l.excessive()), lanes});
  }
  return rows;
}

//! The trace for a terminal: totals, the rows of lines_of, and what is wrong.
[[nodiscard]] inline std::string text(gpu::kernel_trace const& trace) {
  std::string out = detail::counted(trace.grid.count(), "block") + " of " +
                    detail::counted(trace.block.count(), "thread") + ": " +
                    detail::counted(trace.wavefronts(), "wavefront") + " of shared memory (ideal " +
                    std::to_string(trace.ideal_wavefronts()) + "), " +
                    detail::counted(trace.sectors(), "sector") + " of global memory (ideal " +
                    std::to_string(trace.ideal_sectors()) + "), " +
                    detail::counted(trace.barriers, "barrier") + ", " +
                    detail::counted(static_cast<index>(trace.findings.size()), "finding") + "\n\n";
  out += text(lines_of(trace));
  for (gpu::trace_finding const& f : trace.findings)
    out += std::string("\n") + gpu::name_of(f.kind) + ": " + gpu::text(f.place) + " (" +
           detail::counted(f.count, "time") + ")\n  " + f.what + '\n';
  return out;
}

}  // namespace mmm::report
