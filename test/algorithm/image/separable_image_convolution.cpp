// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/image/separable_image_convolution.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/fast_checks.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

//! The sums of the pixels times the products of the taps, pixel by pixel.
std::vector<int> plainly_convolved(std::vector<int> const& a, mmm::shape image,
                                   std::vector<int> const& down, std::vector<int> const& across) {
  auto const v = static_cast<mmm::index>(down.size() / 2);
  std::vector<int> c(a.size());
  for (mmm::index i = 0; i < image.rows; ++i)
    for (mmm::index j = 0; j < image.columns; ++j)
      for (mmm::index s = -v; s <= v; ++s)
        for (mmm::index t = -v; t <= v; ++t) {
          if (i + s < 0 || i + s >= image.rows || j + t < 0 || j + t >= image.columns) continue;
          c[static_cast<std::size_t>(i * image.columns + j)] +=
              a[static_cast<std::size_t>((i + s) * image.columns + j + t)] *
              down[static_cast<std::size_t>(s + v)] * across[static_cast<std::size_t>(t + v)];
        }
  return c;
}

template <mmm::index Radius, class Tiles, class M>
void convolves(M const& machine, mmm::index threads_per_dmm, mmm::shape image) {
  constexpr mmm::detail::separable_image_algorithm<Radius, Tiles> algorithm{};
  mmm::index const p = threads_per_dmm * machine.dmms();
  CAPTURE(Radius, M::width(), machine.dmms(), threads_per_dmm, image.rows, image.columns);
  auto const a = checks::small_numbers(image.area(), 1);
  auto const u = checks::small_numbers(2 * Radius + 1, 2);
  auto const x = checks::small_numbers(2 * Radius + 1, 3);
  std::vector<int> c(a.size(), -1);
  auto of_kernel = c;
  auto const run = mmm::simulate(machine, mmm::threads(p), [&](auto on) {
    algorithm(on, a.begin(), image, u.begin(), x.begin(), c.begin());
  });
  auto const expected = plainly_convolved(a, image, u, x);
  CHECK(c == expected);
  checks::problem_figures(machine, algorithm, image, p, run, mmm::constant_of(machine, algorithm));
  algorithm(mmm::host_threads(machine, mmm::threads(p)), a.begin(), image, u.begin(), x.begin(),
            of_kernel.begin());
  CHECK(of_kernel == expected);
}

template <mmm::index Width, class T>
constexpr bool has_product(T const (&taps)[Width * Width]) {
  auto const found = mmm::separated<Width>(taps);
  for (mmm::index k = 0; k < Width * Width; ++k)
    if (found.down[k / Width] * found.across[k % Width] != taps[k]) return false;
  return found.separable;
}

constexpr int binomial[] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
constexpr int edges[] = {0, 0, 0, -6, 0, 9, -4, 0, 6};
constexpr int laplace[] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
constexpr int nothing[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr double halves[] = {0.25, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 0.25};
constexpr double almost[] = {0.25, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 0.2500001};
static_assert(has_product<3>(binomial) && has_product<3>(edges) && has_product<3>(nothing));
static_assert(has_product<3>(halves) && !has_product<3>(almost) && !has_product<3>(laplace));
static_assert(mmm::separated<3>(edges).across[0] == -2 && mmm::separated<3>(edges).down[1] == 3);
static_assert(!mmm::separated<3>(almost).separable && !mmm::separated<3>(laplace).separable);

}  // namespace

TEST_CASE("convolutions with separable kernels") {
  using tiles = mmm::image_tiles<2, 2, 4>;  // 8 x 8 pixels
  for (auto const& image : {mmm::shape{0, 3}, {1, 1}, {5, 9}, {8, 16}, {17, 30}})
    checks::on_small_machines([&](auto const& m) {
      convolves<0, tiles>(m, 4, image);
      convolves<1, tiles>(m, 6, image);
      convolves<3, tiles>(m, 4, image);
    });
}

TEST_CASE("what convolutions with separable kernels reject") {
  constexpr mmm::detail::separable_image_algorithm<1, mmm::image_tiles<2, 2, 4>> algorithm{};
  std::vector<int> a(100), c(100), taps(3);
  auto const run = [&](mmm::index capacity, mmm::index threads, auto out) {
    static_cast<void>(mmm::simulate(
        checks::small_machine(2, 1, 5, capacity, 1), mmm::threads(threads), [&](auto on) {
          algorithm(on, a.cbegin(), mmm::shape(10, 10), taps.cbegin(), taps.cbegin(), out);
        }));
  };
  mmm::index const words = decltype(algorithm)::program::shared_words(4);
  run(words, 8, c.begin());
  CHECK_THROWS_AS(run(words - 4, 8, c.begin()), std::length_error);
  CHECK_THROWS_AS(run(words, 6, c.begin()), std::invalid_argument);
  CHECK_THROWS_AS(run(words, 8, a.begin()), std::invalid_argument);
}
