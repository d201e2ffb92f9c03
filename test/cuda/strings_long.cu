// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of two strings and orders of chains of matrices as kernels of a DMM.
#include "strings.cuh"

namespace strings_long_tests {

TEST_CASE("strings and chains on a dmm") {
  strings::all(mmm::cuda::on<mmm::dmm<32, 1>>(mmm::threads(100)));
}

}  // namespace strings_long_tests
