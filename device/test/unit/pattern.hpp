// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/observer.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

//! Gives an access the pattern and the range of its addresses, by their definitions.
inline void describe(device::memory_access& a) {
  auto const bytes = static_cast<std::uint64_t>(a.bytes);
  std::uint64_t const first = a.address[std::countr_zero(a.active)];
  bool consecutive = a.active == device::all_lanes;
  bool uniform = true;
  bool strided = a.active == device::all_lanes;
  std::uint64_t const stride = a.address[1] - first;
  a.begin = first;
  a.end = first + bytes;
  for (unsigned t = 0; t < device::lanes; ++t) {
    if ((a.active >> t & 1) == 0) continue;
    consecutive = consecutive && a.address[t] == first + t * bytes;
    uniform = uniform && a.address[t] == first;
    strided = strided && a.address[t] == first + t * stride;
    a.begin = std::min(a.begin, a.address[t]);
    a.end = std::max(a.end, a.address[t] + bytes);
  }
  a.pattern = consecutive ? device::lane_pattern::consecutive
              : uniform   ? device::lane_pattern::uniform
              : strided   ? device::lane_pattern::strided
                          : device::lane_pattern::any;
}
