// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by warpgroups, as kernels for sm_90a.
#include "tensor_cores.cuh"

namespace tensor_cores_tests {

TEST_CASE("products of halves by warpgroups") {
  auto const& multiply = mmm::matrix_multiply_by_warpgroups;
  check(example<mmm::half_t, false, false, true>{{136, 136, 264}, 0}, multiply, 384);
}

}  // namespace tensor_cores_tests
