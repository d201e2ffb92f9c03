// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include "catch.hpp"

namespace checks {

using mmm::index;

//! Calls `check(algorithm, more …)` if the algorithm is stated for machine M.
template <class M, class Check, class A, class... More>
void if_stated(Check const& check, A const& algorithm, More const&... more) {
  constexpr mmm::machine_kinds kinds = A::kinds;
  if constexpr (mmm::hierarchical_machine<M>) {
    if constexpr (kinds.hmm != 0) check(algorithm, more...);
  } else {
    constexpr index constants[] = {kinds.pram, kinds.bpram, kinds.dmm, kinds.umm};
    if constexpr (constants[static_cast<int>(M::conflicts)] != 0) check(algorithm, more...);
  }
}

//! Time is at most C U, or 2 C U where sizes do not divide.
template <class M, class A, class... More>
void within(M const& m, A const& algorithm, index n, index p, bool divides, More const&... more) {
  CAPTURE(algorithm.name, M::width(), n, p, divides);
  mmm::size const size(n);
  mmm::threads const threads(p);
  index const time = mmm::cost_of(m, algorithm, size, threads, more...).time;
  CHECK(time <= (divides ? 1 : 2) * mmm::constant_of(m, algorithm) *
                    mmm::upper_bound(m, algorithm, size, threads, more...));
  CHECK(mmm::lower_bound(m, algorithm, size, threads, more...).time <= time);
}

//! The smallest problems of an algorithm, where a latency or the width of a memory is the most of
//! the time.
template <class M>
struct smallest_problems {
  M m;
  index d;
  template <class A, class... More>
  void operator()(A const& algorithm, More const&... more) const {
    for (index const n : {0, 1, 2, 3, 4})
      for (index const t : {1, 2, 32, 1000}) within(m, algorithm, n, t * d, false, more...);
  }
};

}  // namespace checks
