// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merge of ranges whose values have two types.
// expect: error.*mmm: a merge on a simulated machine is of two ranges with one type of values
#include <mmm/interop/thrust_policy.hpp>

#include <thrust/merge.h>

#include <vector>

void calls(std::vector<int> const& a, std::vector<double> const& b, std::vector<double>& out) {
#ifdef MMM_REJECT_CONTROL
  auto const& first = b;
#else
  auto const& first = a;
#endif
  static_cast<void>(a);
  thrust::merge(mmm::simulated<mmm::umm<32, 100>>, first.begin(), first.end(), b.begin(), b.end(),
                out.begin());
}
