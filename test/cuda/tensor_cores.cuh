// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/fast.hpp>

#include "device_side.cuh"
#include "support/tensor_core_checks.hpp"

//! Products by tensor cores, as kernels.
namespace tensor_cores_tests {

using checks::device_words;
using checks::tensor_cores::example;
using machine = mmm::hmm<4, 32, 29, 700, 57856>;

constexpr mmm::detail::tensor_core_algorithm<mmm::tensor_core_tiles<64, 64, 32, 32, 3>>
    small_tiles{};

template <class Example, class Multiply, class... Form>
void check(Example const& x, Multiply const& multiply, mmm::index threads, Form const&... form) {
  CAPTURE(x.shape.rows, x.shape.inner, x.shape.columns, x.gap);
  using number = typename decltype(x.a)::value_type;
  using sum = typename Example::sum;
  device_words<number> const of_a(x.a.begin(), x.a.end());
  device_words<number> const of_b(x.b.begin(), x.b.end());
  device_words<sum> of_c(x.c.begin(), x.c.end());
  auto const on = mmm::cuda::on<machine>(mmm::threads(4 * threads));
  x.run(multiply, on, of_a.begin(), of_b.begin(), of_c.begin(), form...);
  CHECK(of_c.on_host() == x.expected());
}

}  // namespace tensor_cores_tests
