// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with both factors alike, and word by word.
#include "product_forms.cuh"

namespace product_forms_long_tests {

using mmm::index;
using product_forms::products;

TEST_CASE("products of pitched matrices, both transposed or none") {
  auto const& in_registers = mmm::matrix_multiply_in_registers;
  for (index const gap : {0, 4, 3}) {
    mmm::product_shape const shape(140, 36, 132);
    products<false, true>(in_registers, shape, gap, 256);
    products<false, false>(in_registers, shape, gap, 256);
    products<true, true>(in_registers, shape, gap, 256);
  }
}

TEST_CASE("products of pitched matrices, word by word") {
  products<true, false>(mmm::fastest::matrix_multiply, mmm::product_shape(20, 9, 33), 1, 64);
}

}  // namespace product_forms_long_tests
