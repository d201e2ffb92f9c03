// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with smaller and larger tiles in registers as kernels, and the fastest triangulation: by
// tiles in registers, and blocked.
#include <mmm/fast.hpp>

#include "device_side.cuh"

#include <cstdint>

namespace register_tiles_long_tests {

using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;

TEST_CASE("kernels of a hmm: the fastest triangulation") {
  auto const weights = checks::random_weights<std::int32_t>(200, 9);
  checks::device_words<std::int32_t> const words(weights.begin(), weights.end());
  checks::device_words<std::int32_t> out(1);
  auto const on = mmm::cuda::on(machine(5, 12288), mmm::threads(5 * 256));
  mmm::fastest::triangulation(on, words.begin(), 200, out.begin());
  auto const tiles = mmm::cuda::on(machine(5, 12288), mmm::threads(5 * 1024));
  CHECK(out.on_host()[0] == mmm::triangulation_blocked(tiles, words.begin(), 200).weight);
}

TEST_CASE("kernels of a hmm with further tiles in registers") {
  auto const on = mmm::cuda::on(machine(7, 16384), mmm::threads(7 * 256));
  auto const of_fewer = mmm::cuda::on(machine(7, 12288), mmm::threads(7 * 128));
  using side = checks::device_side;
  for (auto const& shape :
       {mmm::product_shape{1, 1, 1}, {64, 16, 192}, {100, 36, 64}, {129, 5, 67}})
    checks::kernel_product<side, float>(mmm::matrix_multiply_in_smaller_tiles, of_fewer, shape);
  for (auto const& shape : {mmm::product_shape{1, 1, 1}, {256, 40, 128}, {260, 17, 132}})
    checks::kernel_product<side, float>(mmm::matrix_multiply_in_larger_tiles, on, shape);
  checks::kernel_product<side, float>(mmm::matrix_multiply_in_larger_parts, of_fewer,
                                      mmm::product_shape(128, 96, 132));
}

}  // namespace register_tiles_long_tests
