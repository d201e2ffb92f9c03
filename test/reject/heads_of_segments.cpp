// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heads of segments and the output in the wrong order.
// expect: error.*mmm: the heads of segments, after the values, are integers
#include <mmm/mmm.hpp>

#include <vector>

void calls() {
  std::vector<float> v(9);
  std::vector<int> const heads(9);
  mmm::simulate<mmm::dmm<4, 1>>(mmm::threads(5), [&](auto on) {
#ifdef MMM_REJECT_CONTROL
    mmm::segmented_prefix_sums(on, v.begin(), v.end(), heads.begin(), v.begin());
#else
    mmm::segmented_prefix_sums(on, v.begin(), v.end(), v.begin(), heads.begin());
#endif
  });
}
