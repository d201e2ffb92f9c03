// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>

//! The warps that make an access in the same rounds, and the cost of an access.
namespace mmm::detail {

//! The cost of one access of a parallel-for, over all its rounds.
struct access_cost {
  index rounds = 0;  //!< rounds with an access
  index stages = 0;  //!< over all requests
  index time = 0;    //!< synchronous
  bool closed_form = true;
};

//! The warps that make an access in the same rounds: several boxes with the same dimensions; the
//! dimensions of rounds have the same extents in all boxes. `dmm_dimension` is the number of the
//! DMM where its memories work side by side, or -1.
template <int W>
struct round_group {
  static constexpr int max_boxes = 4;
  int boxes = 0;
  int dmm_dimension = -1;
  warp_box<W> box[max_boxes];

  //! The number of warps in all boxes.
  [[nodiscard]] constexpr index volume() const {
    index sum = 0;
    for (int b = 0; b < boxes; ++b) sum = checked_add(sum, box[b].volume());
    return sum;
  }
};

}  // namespace mmm::detail
