// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>

//! The first items of the warps of a box, as two nested steps.
namespace mmm::detail {

//! The first items of some warps: `first + chunk c + step v` for `0 <= c < chunks` and
//! `0 <= v < warps`.
struct warp_grid {
  bool known = false;
  index first = 0;
  index step = 1;
  index chunk = 0;  //!< beyond the first item of the last warp, if there are several
  index chunks = 1;
  index warps = 1;

  //! The warps that begin before an item.
  [[nodiscard]] constexpr index before(index item) const {
    if (item <= first) return 0;
    index const whole = (item - first) / chunk;
    if (whole >= chunks) return chunks * warps;
    return whole * warps + smaller(warps, ceil_divide((item - first) % chunk, step));
  }
  //! The first item of a warp.
  [[nodiscard]] constexpr index begin(index warp) const {
    return first + warp / warps * chunk + warp % warps * step;
  }
};

//! The first items of a box's warps, and the dimensions that they depend on; not known if there are
//! more than two such steps, that between warps not among them.
template <int W>
[[nodiscard]] constexpr warp_grid grid_of(index w, warp_box<W> const& box,
                                          bool (&of_items)[max_dimensions]) {
  index step[max_dimensions] = {};
  index count[max_dimensions] = {};
  int levels = 0;
  for (int d = 0; d < box.dimensions; ++d) {
    of_items[d] = box.slot[item_slot].coefficient[d] != 0;
    if (!of_items[d] || box.extent[d] == 1) continue;
    int k = levels++;
    for (; k > 0 && step[k - 1] > box.slot[item_slot].coefficient[d]; --k) {
      step[k] = step[k - 1];
      count[k] = count[k - 1];
    }
    step[k] = box.slot[item_slot].coefficient[d];
    count[k] = box.extent[d];
  }
  int joined = 0;
  for (int k = 1; k < levels; ++k) {
    if (step[k] == step[joined] * count[joined]) {
      count[joined] *= count[k];
    } else {
      step[++joined] = step[k];
      count[joined] = count[k];
    }
  }
  warp_grid grid{true, box.slot[item_slot].origin, w, w, 1, 1};
  if (levels == 0) return grid;
  grid.chunk = step[joined];
  grid.chunks = count[joined];
  if (joined == 1) grid.warps = count[0];
  grid.known = joined == 0 || (joined == 1 && step[0] == w && grid.chunk >= w * grid.warps);
  return grid;
}

}  // namespace mmm::detail
