// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "unit/fast_kernel_checks.hpp"

#include <cstdint>
#include <utility>

// The fast variants as kernels on host threads, compared with plain loops. Under the thread
// sanitizer this also shows that no barrier is missing.

TEST_CASE("fast kernels on host threads") {
  using machine = mmm::hmm<mmm::dynamic, 4, 1, 10>;
  for (auto const& [d, p] : {std::pair<mmm::index, mmm::index>{1, 4}, {3, 24}})
    checks::all_fast_kernels<checks::host_side, std::int64_t>(
        mmm::host_threads(machine(d), mmm::threads(p)), {0, 1, 5, 100, 127, 128, 129, 1000});
  checks::all_fast_kernels<checks::host_side, float>(
      mmm::host_threads(machine(2), mmm::threads(16)), {999});
}

TEST_CASE("fast kernels on host threads take memory from anywhere on") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(16));
  for (mmm::index const n : {1, 64, 500}) {
    checks::unaligned_fast_kernels<checks::host_side, float>(on, n);
    checks::unaligned_fast_kernels<checks::host_side, double>(on, n);
  }
}

TEST_CASE("the product with register tiles on host threads") {
  constexpr mmm::detail::register_product_algorithm<mmm::product_tiles<8, 8, 4, 4, 4>>
      small_tiles{};
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(12));
  for (auto const& shape : {mmm::product_shape{0, 3, 5},
                            {8, 8, 8},
                            {16, 12, 24},
                            {17, 10, 9},
                            {20, 4, 12},
                            {5, 0, 7}}) {
    checks::kernel_product<checks::host_side, float>(small_tiles, on, shape);
    checks::kernel_product<checks::host_side, std::int64_t>(small_tiles, on, shape);
  }
}

TEST_CASE("the convolution with several outputs to a thread on host threads") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(12));
  for (mmm::index const n : {0, 1, 50, 96, 500})
    for (mmm::index const m : {1, 7, 16, 33}) {
      checks::kernel_convolution<checks::host_side, float>(mmm::convolution_in_registers, on, n, m);
      checks::kernel_convolution<checks::host_side, std::int64_t>(mmm::convolution_in_registers, on,
                                                                  n, m);
    }
}

namespace {

//! Calls mmm::image_convolution_in_registers<2> with the arguments of mmm::image_convolution.
struct with_radius_2 {
  static constexpr mmm::detail::register_image_algorithm<2, mmm::image_tiles<2, 2, 4>> algorithm{};
  char const* name = algorithm.name;
  template <class On, class Image, class Kernel, class Result>
  void operator()(On const& on, Image a, mmm::shape image, Kernel b, mmm::radius, Result c) const {
    algorithm(on, a, image, b, c);
  }
};

}  // namespace

TEST_CASE("the image convolution with a block of pixels to a thread on host threads") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(12));
  for (auto const& image : {mmm::shape{0, 3}, {1, 1}, {8, 8}, {24, 32}, {29, 31}}) {
    checks::kernel_image<checks::host_side, float>(with_radius_2{}, on, image, mmm::radius(2));
    checks::kernel_image<checks::host_side, std::int64_t>(with_radius_2{}, on, image,
                                                          mmm::radius(2));
  }
}

TEST_CASE("the triangulation with tiles in registers on host threads") {
  constexpr mmm::detail::register_triangulation_algorithm<mmm::polygon_tiles<8, 4, 4, 4>>
      small_tiles{};
  for (mmm::index const d : {1, 2, 3}) {
    mmm::hmm<mmm::dynamic, 4, 1, 10> const m(d);
    mmm::host_threads<mmm::hmm<mmm::dynamic, 4, 1, 10>> const on(m, mmm::threads(5 * d));
    for (mmm::index const n : {3, 8, 9, 30})
      checks::kernel_triangulation<checks::host_side>(small_tiles, on, n);
  }
}
