// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variants with values of 8 bytes.
#include "device_side.cuh"
#include "session.hpp"
#include "support/fast_kernel_checks.hpp"

#include <cstdint>
#include <vector>

namespace fast_kernels_long_tests {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;

TEST_CASE("fast kernels of a hmm, values of 8 bytes") {
  auto const all = [](index dmms, index p) {
    checks::all_fast_kernels<checks::device_side, std::int64_t>(
        mmm::cuda::on(machine(dmms, 12288), mmm::threads(dmms * p)),
        {0, 1, 2, 33, 1023, 5000, 100000});
  };
  all(3, 64);
  if (!checks::small_only()) all(checks::multiprocessors(), 128);
}

}  // namespace fast_kernels_long_tests
