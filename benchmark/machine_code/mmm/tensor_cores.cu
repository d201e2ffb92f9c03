// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row product of halves, 128x256: tensor_core_product<.* 256, .*3, 8>.*true, .*; shared=147456
// row product of halves, 128x128: tensor_core_product<.* 64, 4, 4>.*true, .*; shared=65536
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

void products(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
              mmm::half_t const* a, float* b, mmm::index n) {
  mmm::matrix_multiply_on_tensor_cores(on, a, a, mmm::product_shape(n, n, n), b);
  mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles(on, a, a, mmm::product_shape(n, n, n), b);
}
