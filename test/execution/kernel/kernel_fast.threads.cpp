// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "support/fast_kernel_checks.hpp"

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
  for (mmm::index const n : {1, 64, 500})
    checks::unaligned_fast_kernels<checks::host_side, float>(on, n);
}

TEST_CASE("the product with register tiles on host threads") {
  constexpr mmm::detail::register_product_algorithm<mmm::product_tiles<8, 8, 4, 4, 4>>
      small_tiles{};
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(12));
  for (auto const& shape :
       {mmm::product_shape{0, 3, 5}, {8, 8, 8}, {16, 12, 24}, {17, 10, 9}, {20, 4, 12}, {5, 0, 7}})
    checks::kernel_product<checks::host_side, float>(small_tiles, on, shape);
}

TEST_CASE("the convolution with several outputs to a thread on host threads") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(12));
  for (mmm::index const n : {0, 1, 50, 96, 500})
    for (mmm::index const m : {1, 7, 16, 33})
      checks::kernel_convolution<checks::host_side, float>(mmm::convolution_in_registers, on, n, m);
}

namespace {

//! Calls mmm::fastest::image_convolution<2>, of such tiles, with the arguments of
//! mmm::image_convolution.
struct fastest_with_radius_2 {
  static constexpr mmm::detail::fastest_image_convolution<2, mmm::image_tiles<2, 2, 4>> algorithm{};
  char const* name = "fastest::image_convolution<2>";
  template <class On, class Image, class Kernel, class Result>
  void operator()(On const& on, Image a, mmm::shape image, Kernel b, mmm::radius, Result c) const {
    algorithm(on, a, image, b, c);
  }
};

}  // namespace

TEST_CASE("the default image convolution on host threads") {
  using machine = mmm::hmm<2, 4, 1, 10, mmm::dynamic>;
  using entry = decltype(fastest_with_radius_2::algorithm);
  for (mmm::index const capacity : {mmm::unlimited, mmm::index{100}})
    for (mmm::index const p : {6, 12}) {  // the tiles need 4 threads for each of two DMMs
      machine const m(capacity);
      CHECK(entry::fits(m, p) == (p == 12 && capacity == mmm::unlimited));
      checks::kernel_image<checks::host_side, float>(fastest_with_radius_2{},
                                                     mmm::host_threads(m, mmm::threads(p)),
                                                     mmm::shape{9, 14}, mmm::radius(2));
    }
  auto const typical = [](mmm::index rows, mmm::index columns) {
    mmm::shape const like = entry::typical({rows, columns}, 2);
    return std::pair(like.rows, like.columns);
  };
  CHECK(typical(0, 0) == std::pair<mmm::index, mmm::index>(0, 0));
  CHECK(typical(33, 1) == std::pair<mmm::index, mmm::index>(64, 32));
  CHECK(typical(1000, 1000) == std::pair<mmm::index, mmm::index>(128, 256));
  CHECK(typical(1, mmm::index{1} << 40) == std::pair<mmm::index, mmm::index>(32, 1024));
}

TEST_CASE("the image convolution with a block of pixels to a thread on host threads") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 10>> const on(mmm::threads(12));
  for (auto const& image : {mmm::shape{0, 3}, {1, 1}, {8, 8}, {24, 32}, {29, 31}})
    checks::kernel_image<checks::host_side, float>(checks::image_with_radius_2{}, on, image,
                                                   mmm::radius(2));
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
