// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number where std::accumulate has its initial value.
// expect: error.*mmm: a number after the sequence means nothing here: write mmm::init
#include <mmm/mmm.hpp>

#include <vector>

void calls() {
  std::vector<float> const v(9);
  mmm::simulate<mmm::dmm<4, 1>>(mmm::threads(5), [&](auto on) {
#ifdef MMM_REJECT_CONTROL
    return mmm::sum(on, v.begin(), v.end(), mmm::init(5.0));
#else
    return mmm::sum(on, v.begin(), v.end(), 5.0);
#endif
  });
}
