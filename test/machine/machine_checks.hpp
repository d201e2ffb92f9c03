// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/cost/cost.hpp>

#include "catch.hpp"

namespace checks {

using mmm::dynamic;
using mmm::index;

//! Costs and bounds on a machine whose width is known at run time are those on one with the same
//! width, fixed.
template <class Fixed, class Any>
void same_costs(Fixed const& fixed, Any const& any, index p) {
  for (index const n : {index{0}, index{1}, index{100}, index{1023}}) {
    CAPTURE(any.width(), n, p);
    mmm::size const size(n);
    mmm::threads const threads(p);
    CHECK(mmm::cost_of(any, mmm::sum, size, threads) ==
          mmm::cost_of(fixed, mmm::sum, size, threads));
    CHECK(mmm::cost_of(any, mmm::prefix_sums, size, threads) ==
          mmm::cost_of(fixed, mmm::prefix_sums, size, threads));
    CHECK(mmm::lower_bound(any, mmm::sum, size, threads).time ==
          mmm::lower_bound(fixed, mmm::sum, size, threads).time);
    CHECK(mmm::upper_bound(any, mmm::sum, size, threads) ==
          mmm::upper_bound(fixed, mmm::sum, size, threads));
    CHECK(mmm::cost_of(any, mmm::convolution, size, threads, mmm::taps(5)) ==
          mmm::cost_of(fixed, mmm::convolution, size, threads, mmm::taps(5)));
  }
}

template <index W>
void same_as_fixed() {
  for (index const p : {index{4}, index{32}, index{132}}) {
    same_costs(mmm::dmm<W, 3>(), mmm::dmm<dynamic, 3>(W), p);
    same_costs(mmm::umm<W, 9, 2>(), mmm::umm<dynamic, 9, 2>(W), p);
    same_costs(mmm::hmm<2, W, 1, 9>(), mmm::hmm<2, dynamic, 1, 9>(W), p);
  }
}

}  // namespace checks
