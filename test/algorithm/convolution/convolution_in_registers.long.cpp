// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convolution_in_registers_checks.hpp"

TEST_CASE("convolutions with several outputs to a thread on fixed machines") {
  checks::convolves<4, 4>(mmm::hmm<1, 4, 1, 5>(), 6);
  checks::convolves<8, 2>(checks::wider_machine(), 8);
}
