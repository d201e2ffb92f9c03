// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of an HMM with integers.
#include "device_side.cuh"
#include "session.hpp"

#include <cstdint>
#include <vector>

namespace kernels_hmm_integers_tests {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;

template <class T>
void all(index dmms, index p) {
  checks::all_kernels<checks::device_side, T>(
      mmm::cuda::on(machine(dmms, 6144), mmm::threads(dmms * p)), {0, 1, 2, 33, 1023});
}

TEST_CASE("kernels of a hmm, 32-bit integers") {
  all<std::int32_t>(3, 96);
  if (!checks::small_only()) all<std::int32_t>(7, 33);
}

TEST_CASE("kernels of a hmm, 64-bit integers") { all<std::int64_t>(5, 96); }

}  // namespace kernels_hmm_integers_tests
