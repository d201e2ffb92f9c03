// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row copy: wide_copy<4
// row sum: wide_sum_program<4, 4
// row prefix-sums: one_pass_scan<4
// row transpose: swizzled_transpose<
// row matrix product, 8 x 8 a thread: register_product<.* 8, 8, 4>, 4, packed
// row matrix product, 16 x 8 a thread: register_product<.* 16, 8, 4>, 4, packed
// row convolution: register_convolution<.*, 4>
// row image convolution, v = 3: register_image_convolution<3, .*>, 4>
// row image convolution, v = 8: register_image_convolution<8, .*>, 4>
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

using handle = mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>>;

void wide_kernels(handle const& on, float* a, float* b, mmm::index n) {
  mmm::copy_wide(on, a, a + n, b);
  mmm::sum_wide(on, a, a + n, b);
  mmm::prefix_sums_one_pass(on, a, a + n, b);
  mmm::transpose_swizzled(on, a, mmm::shape(n, n), b);
}

void tiled_kernels(handle const& on, float* a, float* b, mmm::index n) {
  mmm::matrix_multiply_in_registers(on, a, a, mmm::product_shape(n, n, n), b);
  mmm::matrix_multiply_in_more_registers(on, a, a, mmm::product_shape(n, n, n), b);
  mmm::convolution_in_registers(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::image_convolution_in_registers<3>(on, a, mmm::shape(n, n), a, b);
  mmm::image_convolution_in_registers<8>(on, a, mmm::shape(n, n), a, b);
}
