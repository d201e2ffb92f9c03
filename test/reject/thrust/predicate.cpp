// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A predicate of other values than those of the range.
// expect: error.*mmm: a predicate of a simulated call is called with one value of its range
#include <mmm/interop/thrust_policy.hpp>

#include <thrust/copy.h>

#include <string>
#include <vector>

void calls(std::vector<int> const& words, std::vector<int>& out) {
#ifdef MMM_REJECT_CONTROL
  auto const chosen = [](int x) { return x > 0; };
#else
  auto const chosen = [](std::string const& x) { return x.empty(); };
#endif
  thrust::copy_if(mmm::simulated<mmm::umm<32, 100>>, words.begin(), words.end(), out.begin(),
                  chosen);
}
