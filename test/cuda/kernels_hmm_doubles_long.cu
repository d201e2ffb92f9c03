// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of an HMM with values of type double.
#include "device_side.cuh"
#include "session.hpp"

#include <vector>

namespace kernels_hmm_doubles_tests {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;

template <class T>
void all(index dmms, index p) {
  checks::all_kernels<checks::device_side, T>(
      mmm::cuda::on(machine(dmms, 6144), mmm::threads(dmms * p)), {0, 1, 2, 33, 1023});
}

TEST_CASE("kernels of a hmm, double") {
  all<double>(4, 64);
  if (!checks::small_only()) all<double>(40, 512);
}

}  // namespace kernels_hmm_doubles_tests
