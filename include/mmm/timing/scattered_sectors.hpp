// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/clocks.hpp>

//! Scattered requests: those whose lanes need one sector of 32 bytes each, as in a column of a
//! matrix. The level-2 cache serves fewer of these sectors in a clock than its bytes allow.
namespace mmm::detail {

//! The scattered sectors of requests to the global memory: all of their lines, if these are more
//! than the sectors that the requested bytes fill; else 0.
//! \param lines is the number of lines of 128 bytes, one or more for each request
[[nodiscard]] constexpr double scattered_sectors(double lines, double requested_bytes) {
  return lines * 32 > requested_bytes ? lines : 0;
}
//! Clocks of the level-2 cache for scattered sectors, besides those for their bytes; 0 for GPUs
//! whose rate is not known.
[[nodiscard]] constexpr double scattered_sector_clocks(gpu::timing_facts const& timing,
                                                       double sectors) {
  return timing.l2_scattered_sectors > 0 ? sectors / timing.l2_scattered_sectors : 0;
}

}  // namespace mmm::detail
