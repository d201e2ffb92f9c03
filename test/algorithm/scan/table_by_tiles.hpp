// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace checks {

//! The exact time of mmm::summed_area_1r1w of s x s pixels with t threads per DMM on an HMM of d
//! DMMs, width w, latency l of the shared and L of the global memory, as docs/algorithms.md states
//! it, for w | s, w | t | w^2 and d | s/w.
[[nodiscard]] constexpr mmm::index time_of_table_by_tiles(mmm::index s, mmm::index t, mmm::index d,
                                                          mmm::index w, mmm::index l,
                                                          mmm::index L) {
  mmm::index const tiles = s / w;
  mmm::index const steps = tiles / d * (tiles + d - 1);
  mmm::index const stages = 2 * s * s / w + 3 * tiles * (tiles - 1);
  return stages + (L - 1) * (steps * (2 * w * w / t + 3) - (d == 1 ? tiles : 1) - 2 * tiles / d) +
         steps * (2 * w + 2 * w * w / t * (l - 1) + 4 * w * l);
}

}  // namespace checks
