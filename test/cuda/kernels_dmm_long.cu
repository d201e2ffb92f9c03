// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a DMM with further types and numbers of threads.
#include "device_side.cuh"

#include <cstdint>
#include <vector>

namespace kernels_dmm_long_tests {

template <class T>
void all(std::vector<mmm::index> const& threads) {
  for (mmm::index const p : threads)
    checks::all_kernels<checks::device_side, T>(mmm::cuda::on<mmm::dmm<32, 1>>(mmm::threads(p)),
                                                {0, 1, 2, 7, 33, 100, 1023});
}

TEST_CASE("kernels of a dmm, float, 1000 threads") { all<float>({1000}); }
TEST_CASE("kernels of a dmm, double") { all<double>({64}); }
TEST_CASE("kernels of a dmm, 32-bit integers") { all<std::int32_t>({1, 1024}); }
TEST_CASE("kernels of a dmm, 64-bit integers") { all<std::int64_t>({100}); }

}  // namespace kernels_dmm_long_tests
