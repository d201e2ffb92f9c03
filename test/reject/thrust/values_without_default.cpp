// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys that are made of a number only.
// expect: error.*mmm: the values of a simulated call have to be default-constructible
#include <mmm/interop/thrust_policy.hpp>

#include <thrust/sort.h>

#include <vector>

struct key {
#ifdef MMM_REJECT_CONTROL
  key() = default;
#endif
  explicit key(int x) : value(x) {}
  friend bool operator<(key const& x, key const& y) { return x.value < y.value; }
  int value = 0;
};

void calls(std::vector<key>& keys) {
  thrust::sort(mmm::simulated<mmm::umm<32, 100>>, keys.begin(), keys.end());
}
