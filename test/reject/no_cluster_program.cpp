// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the algorithm has no program for clusters
// An algorithm without a program for clusters is called on the nodes of one.
#include <mmm/cluster.hpp>

using machine = mmm::cluster<2, 1, 9, mmm::dmm<32, 1>>;

int main() {
  mmm::index values[4] = {4, 3, 2, 1};
  mmm::simulate(machine{}, mmm::threads(64), [&](auto on) {
#ifdef MMM_REJECT_CONTROL
    static_cast<void>(mmm::sum(on, values, values + 4));
#else
    mmm::string_matching(on, values, values + 1, values, values + 4, values);
#endif
  });
  return 0;
}
