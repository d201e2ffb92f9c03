// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/kernel_code.hpp>

//! Cold code: the instructions of a kernel are not in the caches of the multiprocessors when it
//! starts.
namespace mmm::detail {

//! Clocks in which a multiprocessor fetches the instructions that a kernel executes, once each. A
//! line arrives after the latency of the level-2 cache, while a stream buffer fetches the lines
//! that follow it: in a latency there arrive as many lines as the buffer has entries.
[[nodiscard]] constexpr double cold_code_clocks(gpu::timing_facts const& timing,
                                                kernel_code const& code) {
  double const lines = code.path * timing.instruction_bytes / timing.code_line_bytes;
  return lines * timing.l2_latency / timing.code_lines_in_flight;
}

}  // namespace mmm::detail
