// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variants with wide accesses, look-back, and tiles in shared memory.
#include "device_side.cuh"
#include "session.hpp"
#include "support/fast_kernel_checks.hpp"

#include <cstdint>
#include <vector>

namespace fast_kernels_tests {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;
std::vector<index> const sizes{0, 1, 2, 33, 1023, 5000, 100000};

//! A handle for `dmms` blocks of `p` threads each.
template <class T>
void all(index dmms, index p) {
  checks::all_fast_kernels<checks::device_side, T>(
      mmm::cuda::on(machine(dmms, 12288), mmm::threads(dmms * p)), sizes);
}

TEST_CASE("fast kernels of a hmm, float") {
  all<float>(4, 64);
  for (index const n : {1, 64, 5000})
    checks::unaligned_fast_kernels<checks::device_side, float>(
        mmm::cuda::on(machine(4, 12288), mmm::threads(256)), n);
  if (checks::small_only()) return;
  all<float>(3, 100);
  all<float>(checks::multiprocessors(), 256);
}

TEST_CASE("fast kernels of a hmm, values of 8 bytes") {
  all<std::int64_t>(3, 64);
  if (!checks::small_only()) all<std::int64_t>(checks::multiprocessors(), 128);
}

}  // namespace fast_kernels_tests
