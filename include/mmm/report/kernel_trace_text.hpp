// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/table.hpp>
#include <mmm/trace/kernel_trace.hpp>

#include <string>

//! Traces of kernels as text.
namespace mmm::report {

//! A row for each access of the kernel, in the order of the source: line, requests, access, its
//! wavefronts or sectors, their ideal number, active lanes.
[[nodiscard]] inline table lines_of(gpu::kernel_trace const& trace) {
  table rows({"line", "requests", "what", "takes", "ideal", "excess", "lanes"});
  for (gpu::traced_line const& l : trace.lines) {
    std::string const access =
        std::to_string(l.bytes) + "-byte " + name_of(l.space) + ' ' + gpu::name_of(l.use);
    double const lanes = static_cast<double>(l.lanes) / static_cast<double>(l.requests);
    rows.add({gpu::text(l.place), std::to_string(l.requests), access, std::to_string(l.transfers),
              std::to_string(l.ideal), std::to_string(l.excessive()), detail::decimal(lanes, 1)});
  }
  return rows;
}

namespace detail {
//! The totals in a line.
[[nodiscard]] inline std::string totals_text(gpu::kernel_trace const& trace) {
  return counted(trace.grid.count(), "block") + " of " + counted(trace.block.count(), "thread") +
         ": " + counted(trace.wavefronts(), "wavefront") + " of shared memory (ideal " +
         std::to_string(trace.ideal_wavefronts()) + "), " + counted(trace.sectors(), "sector") +
         " of global memory (ideal " + std::to_string(trace.ideal_sectors()) + "), " +
         counted(trace.barriers, "barrier") + ", " +
         counted(static_cast<index>(trace.findings.size()), "finding");
}
//! A finding: its kind, place, number and description.
[[nodiscard]] inline std::string finding_text(gpu::trace_finding const& f) {
  return gpu::name_of(f.kind) + std::string(": ") + gpu::text(f.place) + " (" +
         counted(f.count, "time") + ")\n  " + f.message;
}
}  // namespace detail

//! The trace for a terminal: totals, the rows of lines_of, and the findings.
[[nodiscard]] inline std::string text(gpu::kernel_trace const& trace) {
  std::string out = detail::totals_text(trace) + "\n\n" + text(lines_of(trace));
  for (gpu::trace_finding const& f : trace.findings) out += '\n' + detail::finding_text(f) + '\n';
  return out;
}

//! Adds a trace to a page (report/page.hpp).
template <class Page>
void add_to(Page& to, gpu::kernel_trace const& trace) {
  to.paragraph(detail::totals_text(trace)).rows(lines_of(trace));
  for (gpu::trace_finding const& f : trace.findings) to.paragraph(detail::finding_text(f), true);
}

}  // namespace mmm::report
