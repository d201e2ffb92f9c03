// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The papers' algorithms on an HMM as kernels: compiled only, for test/kernel/check.py.
// The papers' tiles of 32 x 32 words use blocks of 1024 threads, with 64 registers per thread:
// promise image_program: stack <= 128, spills <= 192, global stores <= 12
// promise product_program: stack <= 48, spills <= 64, global stores <= 256
// further promise product_program.*items_per_thread<2, 1024>: global stores <= 8
// promise product_program.*items_per_thread<4, 1024>: global stores <= 16
// promise product_program.*items_per_thread<16, 512>: stack = 0, spills = 0, global stores <= 64
// further promise product_program.*items_per_thread<32, 512>: global stores <= 128
// promise sum_program<plus, false>: divisions = 0
// promise hmm<.*, scan_program<plus, false, no_init>: bar.sync >= 8
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/mmm.hpp>

void kernels_of_a_hmm(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                      float* a, float* b, mmm::index n) {
  static_cast<void>(mmm::contiguous(on, a, a + n));
  static_cast<void>(mmm::stride(on, a, a + n));
  static_cast<void>(mmm::sum(on, a, a + n));
  static_cast<void>(mmm::sum_on_one_dmm(on, a, a + n));
  mmm::copy_through_shared(on, a, a + n, b);
  mmm::prefix_sums(on, a, a + n, b);
  mmm::convolution(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::image_convolution(on, a, mmm::shape(n, n), a, mmm::radius(2), b);
  mmm::matrix_multiply(on, a, a, mmm::product_shape(n, n, n), b, mmm::tile(32));
  static_cast<void>(mmm::triangulation_blocked(on, a, n));
}
