// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Further kernels with register tiles: compiled only (test/kernel/check.py).
// promise register_product<.* 16, 8, 4, 2>, 4, packed.*: wide stores = 64, STG.128 = 64
// promise register_product<.* 16, 8, 4, 2>, 4, packed.*: FFMA% >= 89
// promise register_product<.*>, 4, packed.*: shared wide loads >= 64, LDS.128 >= 64
// promise register_product<.*>, 1, packed.*: wide loads = 0, wide stores = 0, FFMA% >= 80
// Products of matrices in any place: c is read, too, and one block has all registers.
// promise register_product<.* 8, 8, 4, 2>, 4, placed_product: wide stores = 32
// promise register_product<.* 16, 8, 4, 2>, 4, placed_product: wide stores = 64, spills = 0
// They are not quite enough on sm_120, word by word:
// promise register_product<.*>, 1, placed_product: stack <= 16, spills <= 16
// promise register_image_convolution<.*>, 4>: wide loads >= 6, wide stores >= 4, registers <= 128
// promise register_image_convolution<4, .*>, 4>: FFMA% >= 91
// promise register_image_convolution<8, .*>, 4>: FFMA% >= 92
// promise register_image_convolution<.*>, 1>: wide loads = 0, wide stores = 0
// promise register_triangulation<.*>, 4>.*array_argument<int: registers <= 128
// promise register_triangulation<.*>, 4>.*array_argument<long long: registers >= 129
// promise register_triangulation<.*>, 4>: LDG.128 >= 8, LDS.128 >= 64
// promise register_triangulation<.*>, 4>: divisions = 0
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/triangulation/polygon_triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation_in_registers.hpp>
#include <mmm/execution/kernel/cuda.cuh>

void product_kernel_of_placed_matrices(
    mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a, float* b,
    mmm::index n) {
  mmm::matrix_multiply_in_registers(on, mmm::transposed(a, n), mmm::transposed(a, n),
                                    mmm::product_shape(n, n, n), b, mmm::alpha(2.0F),
                                    mmm::beta(1.0F));
}

void product_kernel_of_batches(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                               float* a, float* b, mmm::index n) {
  mmm::matrix_multiply_in_more_registers(on, mmm::transposed(a, n), mmm::transposed(a, n),
                                         mmm::product_shape(n, n, n), b, mmm::beta(1.0F),
                                         mmm::batches(n, n * n, n * n, n * n));
}

void product_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                    float* b, mmm::index n) {
  mmm::matrix_multiply_in_more_registers(on, a, a, mmm::product_shape(n, n, n), b);
}

void triangulation_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                          int* weights, int* out, mmm::index n) {
  mmm::triangulation_in_registers(on, weights, n, out);
}

void triangulation_kernel_of_wide_words(
    mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, long long* weights,
    long long* out, mmm::index n) {
  mmm::triangulation_in_registers(on, weights, n, out);
}

void image_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                  float* b, mmm::index n) {
  mmm::image_convolution_in_registers<4>(on, a, mmm::shape(n, n), a, b);
}

void image_kernel_of_a_large_radius(
    mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a, float* b,
    mmm::index n) {
  mmm::image_convolution_in_registers<8>(on, a, mmm::shape(n, n), a, b);
}
