// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: on a cluster, argmin and argmax return their result: nothing follows the words
// The result of a fold on a cluster is known on all nodes; there is no memory that it stays in.
#include <mmm/cluster.hpp>

using machine = mmm::cluster<2, 1, 9, mmm::dmm<32, 1>>;

int main() {
  int values[4] = {4, 3, 2, 1};
  mmm::simulate(machine{}, mmm::threads(64), [&](auto on) {
#ifdef MMM_REJECT_CONTROL
    static_cast<void>(mmm::argmin(on, values, values + 4));
#else
    mmm::located<int> result{};
    static_cast<void>(mmm::argmin(on, values, values + 4, &result));
#endif
  });
  return 0;
}
