// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with register tiles of other words than floats: compiled only (test/kernel/check.py). A
// word of 8 bytes takes two registers, so that fewer blocks share a multiprocessor.
// promise register_convolution<16, 4, 4>.*<(double|long long): registers >= 81
// promise register_convolution<16, 4, 4>.*<int: registers <= 128
// promise register_product<.*>, 4, packed.*: registers >= 129
// promise register_product<.*>, 4, placed_product<.*double: registers >= 129
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/execution/kernel/cuda.cuh>

namespace {

template <class T>
void convolution(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, T* a, T* b,
                 mmm::index n) {
  mmm::convolution_in_registers(on, a, a + 32, a, a + n + 31, b, b + n);
}

}  // namespace

void kernels_of_wide_words(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                           double* a, long long* b, int* c, mmm::index n) {
  convolution(on, a, a, n);
  convolution(on, b, b, n);
  convolution(on, c, c, n);
  mmm::matrix_multiply_in_registers(on, a, a, mmm::product_shape(n, n, n), a);
  mmm::matrix_multiply_in_registers(on, a, mmm::transposed(a, n), mmm::product_shape(n, n, n), a,
                                    mmm::beta(2.0));
}
