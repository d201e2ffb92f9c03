// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_convolution_in_registers_checks.hpp"

TEST_CASE("image convolutions with a block of pixels to a thread on fixed machines") {
  using checks::convolves_images;
  convolves_images<0, mmm::image_tiles<2, 2, 2, 4>>(mmm::hmm<1, 4, 1, 5>(), 4);
  convolves_images<1, mmm::image_tiles<2, 4, 3, 2>>(mmm::hmm<3, 4, 2, 7>(), 9);
  convolves_images<3, mmm::image_tiles<1, 4, 4, 4>>(checks::wider_machine(), 8);
  convolves_images<2, mmm::image_tiles<4, 4, 1, 1>>(mmm::hmm<2, 4, 1, 3>(), 16);
}
