// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a UMM with doubles and with integers.
#include "device_side.cuh"

#include <cstdint>
#include <vector>

namespace kernels_umm_doubles_tests {

template <class T>
void all(mmm::index p) {
  checks::all_kernels<checks::device_side, T>(mmm::cuda::on<mmm::umm<32, 400>>(mmm::threads(p)),
                                              {0, 1, 2, 33, 1023});
}

TEST_CASE("kernels of a umm, double") { all<double>(1000); }
TEST_CASE("kernels of a umm, 32-bit integers") { all<std::int32_t>(1000); }

}  // namespace kernels_umm_doubles_tests
