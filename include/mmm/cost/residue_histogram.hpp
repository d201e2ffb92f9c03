// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>

//! Histogram of the residues of a linear function of a box's coordinates.
namespace mmm::detail {

//! Counts how often each residue modulo `w <= W` occurs among the contributions of a box's
//! dimensions `wanted(d)`. `histogram` is filled with 0 before.
template <int W, class Wanted>
constexpr void residue_histogram(index w, warp_box<W> const& box, linear_form const& x,
                                 Wanted wanted, index (&histogram)[W]) {
  index still = 1;  // points of the dimensions that do not change the residue
  for (int d = 0; d < box.dimensions; ++d)
    if (wanted(d) && x.coefficient[d] % w == 0) still = checked_multiply(still, box.extent[d]);
  histogram[0] = still;
  for (int d = 0; d < box.dimensions; ++d) {
    if (!wanted(d) || x.coefficient[d] % w == 0 || box.extent[d] == 1) continue;
    index const step = floor_modulo(x.coefficient[d], w);
    index const period = w / gcd(step, w);
    index const whole = box.extent[d] / period;
    index const rest = box.extent[d] % period;
    index next[W] = {};
    for (index k = 0, residue = 0; k < period; ++k, residue = (residue + step) % w) {
      index const times = whole + (k < rest);
      if (times == 0) break;
      for (index r = 0; r < w; ++r)
        if (histogram[r] != 0)
          next[(r + residue) % w] =
              checked_add(next[(r + residue) % w], checked_multiply(histogram[r], times));
    }
    for (index r = 0; r < w; ++r) histogram[r] = next[r];
  }
}

}  // namespace mmm::detail
