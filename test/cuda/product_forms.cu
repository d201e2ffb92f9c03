// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products as cuBLAS makes them: c = alpha a b + beta c with pitches, transposed factors, batches.
#include "product_forms.cuh"

namespace product_forms_tests {

using mmm::index;
using product_forms::products;

TEST_CASE("products of pitched and transposed matrices") {
  auto const& in_registers = mmm::matrix_multiply_in_registers;
  for (index const gap : {0, 4, 3}) {
    mmm::product_shape const shape(140, 36, 132);
    products<true, false>(in_registers, shape, gap, 256);
  }
}

}  // namespace product_forms_tests
