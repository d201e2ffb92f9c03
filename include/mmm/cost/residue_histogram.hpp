// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/index/box.hpp>

//! How often the sums of multiples have each residue.
namespace mmm::detail {

//! The number of times that each residue modulo `w <= W` is the sum of `origin` and what some loops
//! add: `times[low … high]`, 0 elsewhere.
template <int W>
struct residue_counts {
  index w;
  index times[W] = {};
  int low;
  int high;
  constexpr residue_counts(index modulo, index origin)
      : w(modulo), low(static_cast<int>(floor_modulo(origin, w))), high(low) {
    times[low] = 1;
  }
  //! Adds `0, step, 2 step, …`, `count` numbers.
  constexpr void add(index count, index step) {
    step = floor_modulo(step, w);
    if (step == 0 || count <= 1) {
      for (int r = low; r <= high; ++r) times[r] = checked_multiply(times[r], count);
      return;
    }
    index const cycle = w / gcd(step, w);
    index const whole = count / cycle;
    index const rest = count % cycle;
    index sum[W] = {};
    index added = 0;
    for (index k = 0; k < smaller(cycle, count); ++k) {
      index const own = whole + (k < rest);
      for (int r = low; r <= high; ++r) {
        if (times[r] == 0) continue;
        index& n = sum[r + added >= w ? r + added - w : r + added];
        n = checked_add(n, checked_multiply(times[r], own));
      }
      added += step;
      if (added >= w) added -= w;
    }
    low = 0;
    high = static_cast<int>(w) - 1;
    for (int r = low; r <= high; ++r) times[r] = sum[r];
  }
};

//! The stages of equivalent warps, by the residue modulo w that
//! `row * row number + column * column number` is.
template <int W>
struct stages_by_residue {
  //! warps that begin at one place, by what other dimensions add to the residue
  residue_counts<W> others;
  bool equivalent = true;  //!< the same for all residues
  index row = 0;
  index column = 0;
  index own[W] = {};  //!< of one warp
  [[nodiscard]] constexpr index at(index residue) const {
    index sum = 0;
    for (int s = others.low; s <= others.high; ++s)
      sum = checked_add(sum, checked_multiply(others.times[s], own[(residue + s) % others.w]));
    return sum;
  }
};

//! Counts how often each residue modulo `w <= W` occurs among the contributions of a box's
//! dimensions `wanted(d)` to a linear function.
template <int W, class Wanted>
[[nodiscard]] constexpr residue_counts<W> residue_histogram(index w, warp_box<W> const& box,
                                                            linear_form const& x, Wanted wanted) {
  residue_counts<W> counts(w, 0);
  for (int d = 0; d < box.dimensions; ++d)
    if (wanted(d)) counts.add(box.extent[d], x.coefficient[d]);
  return counts;
}

}  // namespace mmm::detail
