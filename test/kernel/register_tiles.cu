// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product and the convolution with register tiles as kernels: compiled only
// (test/kernel/check.py). more/register_tiles.cu has other instances.
// Programs by vecs (4 words) and by words (1), and no access of either looks at an address:
// promise register_product<.* 8, 8, 4, 2>, 4, packed.*: wide stores = 32, STG.128 = 32
// promise register_product<.*>, 4, packed.*: shared wide loads >= 64, LDS.128 >= 56
// Two blocks of the product share a multiprocessor, so that its threads have 128 registers:
// promise register_product<.* 8, 8, 4, 2>, 4, packed.*: registers <= 128, FFMA% >= 85
// promise product_in_parts<.* 8, 4, 4, 2>, 4, packed.*: registers <= 128, FFMA% >= 70
// promise register_product<.*>, 1, packed.*: wide loads = 0, wide stores = 0
// promise register_product<.* 8, 8, 4, 2>, 1, packed.*: FFMA% >= 80
// promise register_product<.* 8, 4, 4, 2>, 1, packed.*: FFMA% >= 65
// promise register_convolution<16, 4, 4>: wide loads >= 5, wide stores >= 1, shared wide loads >= 8
// promise register_convolution<16, 4, 4>: registers <= 80, FFMA% >= 88, LDG.128 >= 5
// promise register_convolution<16, 4, 1>: wide loads = 0, wide stores = 0
// promise register_convolution: divisions = 0
// promise register_image_convolution<.*>, 4>: wide loads >= 6, wide stores >= 4, registers <= 128
// promise register_image_convolution<3, .*>, 4>: FFMA% >= 89
// promise register_image_convolution<.*>, 1>: wide loads = 0, wide stores = 0
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/execution/kernel/cuda.cuh>

void product_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                    float* b, mmm::index n) {
  mmm::matrix_multiply_in_registers(on, a, a, mmm::product_shape(n, n, n), b);
}

void product_in_parts_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                             float* a, float* b, mmm::index n) {
  mmm::matrix_multiply_in_parts(on, a, a, mmm::product_shape(n, n, n), b);
}

void convolution_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                        float* a, float* b, mmm::index n) {
  mmm::convolution_in_registers(on, a, a + 32, a, a + n + 31, b, b + n);
}

void image_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                  float* b, mmm::index n) {
  mmm::image_convolution_in_registers<3>(on, a, mmm::shape(n, n), a, b);
}
