// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/gpu/rules.hpp>

//! Wide loads of the shared memory that neighbouring lanes share.
namespace mmm::detail {

//! The stages of an access by the rule of mmm::gpu::nvidia_merging: loads of 8 and 16 bytes from
//! the shared memory take half, if each lane has the address of its neighbour or each that of the
//! lane after that. The first warp's addresses stand for all warps'.
//! \param items is the number of the step's items: with fewer than 32, nothing is merged
template <class Address>
[[nodiscard]] constexpr index merged_stages(watched_access const& a, Address const& address,
                                            index compute_capability, index value_bytes,
                                            index items) {
  index const bytes = a.words * value_bytes;
  bool const merges = gpu::merges_by_measurement(compute_capability) ||
                      compute_capability == 90;  // docs/gpu-results.md
  if constexpr (!Address::in_trapezoid)
    if (merges && a.shared && a.kind == access_kind::read && bytes > 4 && bytes <= 16 &&
        a.words > 1 && items >= 32) {
      bool nearest = true;
      bool second_nearest = true;
      for (index lane = 0; lane < 32 && (nearest || second_nearest); lane += 4) {
        index const of_lane[4] = {address(lane), address(lane + 1), address(lane + 2),
                                  address(lane + 3)};
        nearest = nearest && of_lane[0] == of_lane[1] && of_lane[2] == of_lane[3];
        second_nearest = second_nearest && of_lane[0] == of_lane[2] && of_lane[1] == of_lane[3];
      }
      if (nearest || second_nearest) return ceil_divide(a.stages, 2);
    }
  return a.stages;
}

}  // namespace mmm::detail
