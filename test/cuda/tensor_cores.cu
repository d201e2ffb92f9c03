// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of halves by tensor cores, as kernels; other numbers and forms: tensor_cores_long.cu.
#include "tensor_cores.cuh"

namespace tensor_cores_tests {

TEST_CASE("products of halves by tensor cores") {
  check(example<mmm::half_t, false, false, true>{{72, 104, 136}, 0}, small_tiles, 128);
  check(example<mmm::half_t, false, false, true>{{33, 17, 5}, 0}, small_tiles, 128);
}

}  // namespace tensor_cores_tests
