// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix_multiply_in_registers_checks.hpp"

TEST_CASE("products by register tiles of further shapes, on fixed machines") {
  using checks::products;
  products<mmm::product_tiles<8, 16, 4, 4, 4, 4>>(checks::wider_machine(), 11);
  products<mmm::product_tiles<16, 8, 4, 8, 4, 4>>(mmm::hmm<2, 4, 2, 7>(), 4);
}
