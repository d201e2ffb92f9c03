// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for sm_90a only
// row product of halves, 128x256 by wgmma: warpgroup_kernel<.* 256, .* 4>.*; shared=196608
// row product of halves, 128x128 by wgmma: warpgroup_kernel<.* 128, .* 6>.*; shared=196608
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/mmm.cuh>
#include <mmm/mmm.hpp>

void products(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
              mmm::half_t const* a, float* b, mmm::index n) {
  mmm::matrix_multiply_by_warpgroups(on, a, a, mmm::product_shape(n, n, n), b);
  mmm::matrix_multiply_by_warpgroups_in_smaller_tiles(on, a, a, mmm::product_shape(n, n, n), b);
}
