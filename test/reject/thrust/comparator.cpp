// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort by a comparator that takes its keys by reference.
// expect: error.*mmm: a comparator, or an equality, of a simulated call is called with two values
#include <mmm/interop/thrust_policy.hpp>

#include <thrust/sort.h>

#include <vector>

void calls(std::vector<int>& keys) {
#ifdef MMM_REJECT_CONTROL
  auto const before = [](int const& x, int const& y) { return x < y; };
#else
  auto const before = [](int& x, int& y) { return x < y; };
#endif
  thrust::sort(mmm::simulated<mmm::umm<32, 100>>, keys.begin(), keys.end(), before);
}
