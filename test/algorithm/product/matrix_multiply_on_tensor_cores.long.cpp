// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All forms of products by tensor cores.
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>

#include "tensor_core_product_checks.hpp"

#include <cstdint>

namespace {

using checks::tensor_cores::check;
using checks::tensor_cores::check_with;
using checks::tensor_cores::example;
using checks::tensor_cores::long_steps;

template <class Number, class... Form>
void all_forms(Form const&... form) {
  for (auto const& shape : {mmm::product_shape(64, 64, 64), mmm::product_shape(80, 48, 144),
                            mmm::product_shape(9, 70, 67)})
    for (mmm::index const gap : {0, 3, 16}) {
      check(example<Number, false, false, true>{shape, 0}, gap == 0, form...);
      check(example<Number, false, false>{shape, gap}, gap == 16, form...);
      check(example<Number, false, true>{shape, gap}, gap == 16, form...);
      check(example<Number, true, false>{shape, gap}, gap == 16, form...);
      check(example<Number, true, true>{shape, gap}, gap == 16, form...);
    }
}

}  // namespace

TEST_CASE("all forms of products of halves by tensor cores", "[tensor_cores]") {
  all_forms<mmm::half_t>();
  check_with(long_steps, example<mmm::half_t, true, true>{{72, 40, 24}, 8}, false);
}
TEST_CASE("all forms of products of bfloat16 by tensor cores", "[tensor_cores]") {
  all_forms<mmm::bfloat16>();
}
TEST_CASE("all forms of products of bytes by tensor cores", "[tensor_cores]") {
  all_forms<std::int8_t>();
  all_forms<std::uint8_t>();
}
TEST_CASE("all forms of products of tf32 by tensor cores", "[tensor_cores]") {
  all_forms<float>(mmm::accept_tf32);
}
