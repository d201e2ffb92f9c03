// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "support/fast_kernel_checks.hpp"

#include <cstdint>

// The fast variants as kernels on host threads, with words of eight bytes.

namespace {

using checks::host_side;
using handle = mmm::host_threads<mmm::hmm<2, 4, 1, 10>>;

}  // namespace

TEST_CASE("fast kernels on host threads take words of eight bytes from anywhere on") {
  handle const on(mmm::threads(16));
  for (mmm::index const n : {1, 64, 500}) checks::unaligned_fast_kernels<host_side, double>(on, n);
}

TEST_CASE("the product with register tiles of integers on host threads") {
  constexpr mmm::detail::register_product_algorithm<mmm::product_tiles<8, 8, 4, 4, 4>>
      small_tiles{};
  handle const on(mmm::threads(12));
  for (auto const& shape :
       {mmm::product_shape{0, 3, 5}, {8, 8, 8}, {16, 12, 24}, {17, 10, 9}, {20, 4, 12}, {5, 0, 7}})
    checks::kernel_product<host_side, std::int64_t>(small_tiles, on, shape);
}

TEST_CASE("the convolution of integers with several outputs to a thread on host threads") {
  handle const on(mmm::threads(12));
  for (mmm::index const n : {0, 1, 50, 96, 500})
    for (mmm::index const m : {1, 7, 16, 33})
      checks::kernel_convolution<host_side, std::int64_t>(mmm::convolution_in_registers, on, n, m);
}

TEST_CASE("the image convolution of integers with a block of pixels to a thread on host threads") {
  handle const on(mmm::threads(12));
  for (auto const& image : {mmm::shape{0, 3}, {1, 1}, {8, 8}, {24, 32}, {29, 31}})
    checks::kernel_image<host_side, std::int64_t>(checks::image_with_radius_2{}, on, image,
                                                  mmm::radius(2));
}
