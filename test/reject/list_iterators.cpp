// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators without random access.
// expect: error.*mmm: algorithms take random-access iterators or pointers
#include <mmm/mmm.hpp>

#include <list>
#include <vector>

void calls() {
#ifdef MMM_REJECT_CONTROL
  std::vector<float> v(9);
#else
  std::list<float> v(9);
#endif
  mmm::simulate<mmm::dmm<4, 1>>(mmm::threads(5),
                                [&](auto on) { mmm::sort(on, v.begin(), v.end()); });
}
