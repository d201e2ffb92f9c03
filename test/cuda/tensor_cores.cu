// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by tensor cores, as kernels.
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/fast.hpp>

#include "device_side.cuh"
#include "support/tensor_core_checks.hpp"

#include <cuda_fp16.h>

#include <vector>

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

TEST_CASE("products by tensor cores") {
  check(example<__half, false, false, true>{{136, 72, 264}, 0},
        mmm::matrix_multiply_on_tensor_cores, 256);
  check(example<mmm::half, false, false, true>{{33, 17, 5}, 0}, small_tiles, 128);
  check(example<mmm::half, false, false, true>{{64, 256, 64}, 0}, small_tiles, 128);
  check(example<mmm::half, true, true>{{72, 40, 24}, 8}, small_tiles, 128);
  check(example<mmm::bfloat16, false, true>{{40, 72, 24}, 8}, small_tiles, 128);
  check(example<std::int8_t, false, true>{{24, 80, 32}, 16}, small_tiles, 128);
  check(example<float, false, true>{{24, 20, 8}, 4}, small_tiles, 128, mmm::accept_tf32);
}

}  // namespace tensor_cores_tests
