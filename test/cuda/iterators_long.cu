// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted and transformed values as arguments of kernels of an HMM.
#include "iterators.cuh"

namespace iterators_long_tests {

TEST_CASE("counted and transformed values on a hmm") {
  using hmm = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;  // that of kernels_hmm.cu
  iterators::checks_squares(mmm::cuda::on(hmm(6, 8192), mmm::threads(6 * 64)), 1000);
}

}  // namespace iterators_long_tests
