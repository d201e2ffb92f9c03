// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>

#include "kernel_checks.hpp"

#include <cstddef>
#include <vector>

//! The fast variants as kernels, compared with plain loops.
namespace checks {

template <class Side, class T, class Algorithm, class On>
void kernel_transpose_of(Algorithm const& algorithm, On const& on, mmm::shape matrix) {
  CAPTURE(algorithm.name, matrix.rows, matrix.columns, on.threads());
  auto const a = small_numbers<T>(matrix.area());
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

//! Checks the variants of a hierarchical machine.
template <class Side, class T, class On>
void all_fast_kernels(On const& on, std::vector<index> const& sizes) {
  for (index const n : sizes) {
    kernel_copy<Side, T>(mmm::copy_wide, on, n);
    kernel_fold<Side, T>(mmm::sum_wide, on, n);
    for (bool const in_place : {false, true})
      kernel_scan<Side, T>(mmm::prefix_sums_one_pass, on, n, in_place);
  }
  for (auto const& matrix : {mmm::shape{0, 3}, {1, 1}, {5, 9}, {64, 128}, {100, 68}, {33, 200}})
    kernel_transpose_of<Side, T>(mmm::transpose_swizzled, on, matrix);
}

//! Checks arrays of the caller's that begin at addresses where wide accesses are not aligned.
template <class Side, class T, class On>
void unaligned_fast_kernels(On const& on, index n) {
  auto const a = small_numbers<T>(n + 1);
  typename Side::template vector<T> const words(a.begin(), a.end());
  std::vector<T> const zeros(a.size());
  typename Side::template vector<T> out(zeros.begin(), zeros.end());
  mmm::copy_wide(on, words.begin() + 1, words.end(), out.begin() + 1);
  auto expected = a;
  expected[0] = T{};
  CHECK(Side::words(out) == expected);
  T sum{};
  for (T const& x : expected) sum = static_cast<T>(sum + x);
  CHECK(mmm::sum_wide(on, words.begin() + 1, words.end()) == sum);
}

}  // namespace checks
