// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that simulated machines do not have.
// expect: error.*unimplemented for this system
#include <mmm/interop/thrust_policy.hpp>

#include <thrust/reverse.h>

#include <vector>

void calls(std::vector<int>& a, std::vector<int>& out) {
  static_cast<void>(out);
#ifdef MMM_REJECT_CONTROL
  thrust::reverse_copy(mmm::simulated<mmm::umm<32, 100>>, a.begin(), a.end(), out.begin());
#else
  thrust::reverse(mmm::simulated<mmm::umm<32, 100>>, a.begin(), a.end());
#endif
}
