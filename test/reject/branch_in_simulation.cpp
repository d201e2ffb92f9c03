// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole warp executes a body: its condition is no bool.
// expect: a condition in a body is no bool, as a whole warp executes it
// expect: mmm::select\(c, x, y\) instead of c \? x : y
#include <mmm/execution/simulate/simulate.hpp>

void calls() {
  mmm::simulate<mmm::dmm<32, 1>>(mmm::threads(32), [](auto on) {
    auto a = on.template allocate<int>(64);
    on.each(64, [=](auto i) {
#ifdef MMM_REJECT_CONTROL
      a[i] = mmm::select(i < 3, i, 0);
#else
      a[i] = i < 3 ? i : 0;
#endif
    });
  });
}
