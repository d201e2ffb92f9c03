// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row convolution: register_convolution<.*, 4>; shared=16640
// row convolution, FFT of 4096: fft_convolution<shared_fft<16, 16, 16>; shared=67712
// row convolution, FFT of 8192: fft_convolution<shared_fft<32, 16, 16>; shared=133248
// row image convolution, v = 3: register_image_convolution<3, .*>, 4>; shared=20928
// row image convolution, v = 8: register_image_convolution<8, .*>, 4>; shared=29008
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

void convolutions(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                  float* b, mmm::index n) {
  mmm::convolution_in_registers(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::convolution_by_fft(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::convolution_by_longer_fft(on, a, a + 32, a, a + n + 31, b, b + n);
  mmm::image_convolution_in_registers<3>(on, a, mmm::shape(n, n), a, b);
  mmm::image_convolution_in_registers<8>(on, a, mmm::shape(n, n), a, b);
}
