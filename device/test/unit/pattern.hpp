// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/observer.hpp>

#include <bit>
#include <cstdint>

//! The pattern of a request, by its definition.
inline device::lane_pattern pattern_of(std::uint64_t const* address, int bytes,
                                       device::lane_mask active) {
  std::uint64_t const first = address[std::countr_zero(active)];
  bool consecutive = active == device::all_lanes;
  bool uniform = true;
  for (unsigned t = 0; t < device::lanes; ++t) {
    if ((active >> t & 1) == 0) continue;
    consecutive = consecutive && address[t] == first + t * static_cast<std::uint64_t>(bytes);
    uniform = uniform && address[t] == first;
  }
  return consecutive ? device::lane_pattern::consecutive
         : uniform   ? device::lane_pattern::uniform
                     : device::lane_pattern::any;
}
