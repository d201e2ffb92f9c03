// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number, or anything else that runs no programs, in place of a handle.
// expect: error.*mmm: the first argument says where the algorithm runs
#include <mmm/mmm.hpp>

#include <vector>

void calls() {
  std::vector<float> const v(9);
#ifdef MMM_REJECT_CONTROL
  mmm::simulate<mmm::dmm<4, 1>>(mmm::threads(5),
                                [&](auto on) { return mmm::sum(on, v.begin(), v.end()); });
#else
  static_cast<void>(mmm::sum(5, v.begin(), v.end()));
#endif
}
