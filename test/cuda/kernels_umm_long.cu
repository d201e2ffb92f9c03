// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a UMM with further types and numbers of threads, and those of a PRAM.
#include "device_side.cuh"

#include <cstdint>
#include <vector>

namespace kernels_umm_long_tests {

template <class T>
void all(std::vector<mmm::index> const& threads, std::vector<mmm::index> const& sizes) {
  for (mmm::index const p : threads)
    checks::all_kernels<checks::device_side, T>(mmm::cuda::on<mmm::umm<32, 400>>(mmm::threads(p)),
                                                sizes);
}

TEST_CASE("kernels of a umm, float, 32 threads") { all<float>({32}, {0, 1, 2, 7, 33, 100, 1023}); }
TEST_CASE("kernels of a umm, double") { all<double>({1000}, {0, 1, 2, 33, 1023}); }
TEST_CASE("kernels of a umm, 32-bit integers") { all<std::int32_t>({1000}, {0, 1, 2, 33, 1023}); }
TEST_CASE("kernels of a umm, 64-bit integers") {
  all<std::int64_t>({100, 256}, {0, 1, 2, 7, 33, 100, 1023});
}

TEST_CASE("kernels of a pram, 32-bit integers") {
  checks::all_kernels<checks::device_side, std::int32_t>(
      mmm::cuda::on<mmm::pram>(mmm::threads(300)), {0, 1, 2, 7, 33, 100, 1023});
}

}  // namespace kernels_umm_long_tests
