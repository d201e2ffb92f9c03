// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of all numbers by tensor cores, as kernels, in all forms.
#include "tensor_cores.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tensor_cores_tests {

TEST_CASE("products by tensor cores in large tiles") {
  for (auto const& shape : {mmm::product_shape(136, 72, 264), mmm::product_shape(256, 128, 256)}) {
    check(example<__half, false, false, true>{shape, 0}, mmm::matrix_multiply_on_tensor_cores, 256);
    check(example<__half, false, false, true>{shape, 0},
          mmm::matrix_multiply_on_tensor_cores_in_smaller_tiles, 128);
  }
  // compiled for sm_90, which has no wgmma
  check(example<__half, false, false, true>{{136, 72, 264}, 0}, mmm::matrix_multiply_by_warpgroups,
        384);
}

template <class Number, class... Form>
void all_forms(Form const&... form) {
  for (mmm::index const gap : {0, 3, 16}) {
    check(example<Number, false, false>{{72, 48, 80}, gap}, small_tiles, 128, form...);
    check(example<Number, false, true>{{72, 48, 80}, gap}, small_tiles, 128, form...);
    check(example<Number, true, false>{{80, 48, 64}, gap}, small_tiles, 128, form...);
    check(example<Number, true, true>{{80, 70, 67}, gap}, small_tiles, 128, form...);
  }
}

TEST_CASE("forms of products by tensor cores") {
  all_forms<mmm::half_t>();
  all_forms<__nv_bfloat16>();
  all_forms<std::int8_t>();
  all_forms<std::uint8_t>();
  all_forms<float>(mmm::accept_tf32);
}

}  // namespace tensor_cores_tests
