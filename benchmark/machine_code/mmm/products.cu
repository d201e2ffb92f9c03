// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row matrix product, 8 x 8 a thread: register_product<.* 8, 8, 4, 2>, 4, packed; shared=33792
// row matrix product, 16 x 8 a thread: register_product<.* 16, 8, 4, 2>, 4, packed; shared=33792
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

void products(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
              float* b, mmm::index n) {
  mmm::matrix_multiply_in_registers(on, a, a, mmm::product_shape(n, n, n), b);
  mmm::matrix_multiply_in_more_registers(on, a, a, mmm::product_shape(n, n, n), b);
}
