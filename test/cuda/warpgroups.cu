// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by warpgroups, as kernels for sm_90a; other numbers, forms and tiles:
// warpgroups_long.cu.
#include "tensor_cores.cuh"

namespace tensor_cores_tests {

TEST_CASE("products of halves by warpgroups") {
  auto const& multiply = mmm::matrix_multiply_by_warpgroups_in_smaller_tiles;
  check(example<mmm::half_t, false, false, true>{{136, 456, 264}, 0}, multiply, 384);
}

}  // namespace tensor_cores_tests
