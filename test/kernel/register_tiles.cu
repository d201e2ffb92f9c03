// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product and the convolution with register tiles as kernels: compiled only, for
// test/kernel/check.py.
// promise register_product: wide loads >= 4, wide stores >= 16, shared wide loads >= 32
// promise register_convolution: wide loads >= 1, wide stores >= 1, shared wide loads >= 8
// promise register_convolution: divisions = 0
#include <mmm/algorithm/register_convolution.hpp>
#include <mmm/algorithm/register_image_convolution.hpp>
#include <mmm/algorithm/register_product.hpp>
#include <mmm/execution/cuda.cuh>

void product_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                    float* b, mmm::index n) {
  mmm::matrix_multiply_in_registers(on, a, a, mmm::product_shape(n, n, n), b);
}

void convolution_kernel(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                        float* a, float* b, mmm::index n) {
  mmm::convolution_in_registers(on, a, a + 32, a, a + n + 31, b, b + n);
}

void image_kernels(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                   float* b, mmm::index n) {
  mmm::image_convolution_in_registers<3>(on, a, mmm::shape(n, n), a, b);
}
