// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by warpgroups of all numbers, as kernels for sm_90a, in all forms.
#include "tensor_cores.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tensor_cores_tests {

constexpr auto const& by_warpgroups = mmm::matrix_multiply_by_warpgroups;
constexpr auto const& in_smaller_tiles = mmm::matrix_multiply_by_warpgroups_in_smaller_tiles;

TEST_CASE("forms of products by warpgroups") {
  for (mmm::index const gap : {0, 8, 40}) {  // rows begin at multiples of 16 bytes
    check(example<__half, false, false>{{136, 200, 264}, gap}, by_warpgroups, 384);
    check(example<__half, false, true>{{72, 48, 280}, gap}, by_warpgroups, 384);
    check(example<__half, true, false>{{144, 72, 128}, gap}, by_warpgroups, 384);
    check(example<__half, true, true>{{8, 136, 8}, gap}, by_warpgroups, 384);
  }
  // copied element by element, by mma.sync
  check(example<__half, false, true>{{72, 48, 80}, 3}, by_warpgroups, 384);
  check(example<__half, false, false, true>{{33, 17, 5}, 0}, by_warpgroups, 384);
}

TEST_CASE("many steps and tiles of products by warpgroups") {
  // 5 x 3 tiles of 4 blocks, 9 steps in 4 or 6 stages
  check(example<__half, false, false, true>{{600, 552, 384}, 0}, in_smaller_tiles, 384);
  check(example<__half, false, false, true>{{600, 552, 640}, 0}, by_warpgroups, 512);
}

template <class Number, class... Form>
void along_the_inner_side(Form const&... form) {
  check(example<Number, false, true>{{136, 144, 264}, 16}, by_warpgroups, 384, form...);
  check(example<Number, false, true>{{136, 144, 136}, 0}, in_smaller_tiles, 384, form...);
}

TEST_CASE("products of other numbers by warpgroups") {
  along_the_inner_side<std::int8_t>();
  along_the_inner_side<std::uint8_t>();
  along_the_inner_side<float>(mmm::accept_tf32);
  check(example<__nv_bfloat16, false, false>{{136, 72, 264}, 0}, by_warpgroups, 384);
  check(example<__nv_bfloat16, true, true>{{136, 72, 72}, 8}, in_smaller_tiles, 384);
}

}  // namespace tensor_cores_tests
