// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include "support/kernel_checks.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

//! The fast variants as kernels, compared with plain loops.
namespace checks {

template <class Side, class T, class Algorithm, class On>
void kernel_transpose_of(Algorithm const& algorithm, On const& on, mmm::shape matrix) {
  CAPTURE(algorithm.name, matrix.rows, matrix.columns, on.threads());
  auto const a = tiny_numbers<T>(matrix.area());
  std::vector<T> expected(a.size());
  for (index j = 0; j < matrix.rows; ++j)
    for (index k = 0; k < matrix.columns; ++k)
      expected[static_cast<std::size_t>(k * matrix.rows + j)] =
          a[static_cast<std::size_t>(j * matrix.columns + k)];
  typename Side::template vector<T> const words(a.begin(), a.end());
  typename Side::template vector<T> out(a.begin(), a.end());
  algorithm(on, words.begin(), matrix, out.begin());
  CHECK(Side::words(out) == expected);
}

//! Tiles of 64 words, so that small sizes have several.
inline constexpr mmm::detail::tile_permutation_algorithm<64, 4> permutation_in_small_tiles{};

template <class Side, class T, class On>
void kernel_permutation_in_tiles(On const& on, index n) {
  auto const places = places_by_seven(n);
  mmm::tile_permutation_schedule const schedule(places.begin(), places.end(), 64);
  using offsets = typename Side::template vector<std::uint16_t>;
  using addresses = typename Side::template vector<std::int32_t>;
  offsets const sources(schedule.sources(), schedule.sources() + n);
  addresses const between(schedule.addresses(), schedule.addresses() + n);
  offsets const targets(schedule.targets(), schedule.targets() + n);
  auto const indices = schedule.with_indices(sources.begin(), between.begin(), targets.begin());
  kernel_permutation<Side, T>(on, n, [&](auto const& words, auto& out) {
    permutation_in_small_tiles(on, words.begin(), words.end(), indices, out.begin());
  });
}

//! Checks the variants of a hierarchical machine.
template <class Side, class T, class On>
void all_fast_kernels(On const& on, std::vector<index> const& sizes) {
  for (index const n : sizes) {
    kernel_copy<Side, T>(mmm::copy_wide, on, n);
    kernel_permutation_in_tiles<Side, T>(on, n);
    kernel_fold<Side, T>(mmm::sum_wide, on, n);
    for (bool const in_place : {false, true})
      kernel_scan<Side, T>(mmm::prefix_sums_one_pass, on, n, in_place);
  }
  for (auto const& matrix : {mmm::shape{0, 3}, {1, 1}, {5, 9}, {64, 128}, {100, 68}, {33, 200}})
    kernel_transpose_of<Side, T>(mmm::transpose_swizzled, on, matrix);
}

//! Checks arrays of the caller's of which the input, the output or both begin at addresses where
//! wide accesses are not aligned.
template <class Side, class T, class On>
void unaligned_fast_kernels(On const& on, index n) {
  using words = typename Side::template vector<T>;
  struct begins {
    index in;
    index out;
  };
  for (begins const& words_before : {begins{1, 1}, {0, 1}, {3, 0}}) {
    index const in = words_before.in;
    index const out = words_before.out;
    CAPTURE(n, in, out);
    auto const values = tiny_numbers<T>(n);
    std::vector<T> moved(static_cast<std::size_t>(in));
    moved.insert(moved.end(), values.begin(), values.end());
    words const a(moved.begin(), moved.end());
    auto const result_of = [&](index count, auto const& call) {
      std::vector<T> const zeros(static_cast<std::size_t>(count + out));
      words b(zeros.begin(), zeros.end());
      call(a.begin() + in, a.end(), b.begin() + out);
      std::vector<T> result = Side::words(b);
      result.erase(result.begin(), result.begin() + out);
      return result;
    };
    CHECK(result_of(n, [&](auto first, auto last, auto to) {
            mmm::copy_wide(on, first, last, to);
          }) == values);
    std::vector<T> sums(values);
    for (std::size_t k = 1; k < sums.size(); ++k) sums[k] = static_cast<T>(sums[k - 1] + sums[k]);
    CHECK(mmm::sum_wide(on, a.begin() + in, a.end()) == sums.back());
    CHECK(result_of(n, [&](auto first, auto last, auto to) {
            mmm::prefix_sums_one_pass(on, first, last, to);
          }) == sums);
    mmm::shape const matrix(4, n / 4);
    std::vector<T> turned(static_cast<std::size_t>(matrix.area()));
    for (index j = 0; j < matrix.rows; ++j)
      for (index k = 0; k < matrix.columns; ++k)
        turned[static_cast<std::size_t>(k * 4 + j)] =
            values[static_cast<std::size_t>(j * matrix.columns + k)];
    CHECK(result_of(matrix.area(), [&](auto first, auto, auto to) {
            mmm::transpose_swizzled(on, first, matrix, to);
          }) == turned);
  }
}

//! Calls mmm::image_convolution_in_registers<2> with the arguments of mmm::image_convolution.
struct image_with_radius_2 {
  static constexpr mmm::detail::register_image_algorithm<2, mmm::image_tiles<2, 2, 4>> algorithm{};
  char const* name = algorithm.name;
  template <class On, class Image, class Kernel, class Result>
  void operator()(On const& on, Image a, mmm::shape image, Kernel b, mmm::radius, Result c) const {
    algorithm(on, a, image, b, c);
  }
};

}  // namespace checks
