// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half and __nv_bfloat16 on a hierarchical machine: products and scans added up in floats, places
// of the smallest, at awkward sizes and where no access of four words is aligned.
#include <mmm/fast.hpp>

#include "device_side.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <vector>

namespace kernels_hmm_halves_tests {

using checks::device_words;
using mmm::index;
using machine = mmm::hmm<3, 32, 29, 700, 12288>;

//! Small numbers, of which some sums are more than a half or a bfloat16 can tell apart.
template <class T>
std::vector<T> numbers(index n, index seed) {
  std::vector<T> a;
  for (index i = 0; i < n; ++i) a.push_back(T(static_cast<float>((i * 37 + seed * 11) % 59 - 7)));
  return a;
}

template <class T, class Result, class Multiply>
void product(Multiply const& multiply, mmm::product_shape const& shape, index first,
             index threads) {
  CAPTURE(shape.rows, shape.inner, shape.columns, first, threads);
  auto const a = numbers<T>(first + shape.rows * shape.inner, 1);
  auto const b = numbers<T>(first + shape.inner * shape.columns, 2);
  std::vector<Result> expected(static_cast<std::size_t>(shape.rows * shape.columns));
  for (index i = 0; i < shape.rows; ++i)
    for (index j = 0; j < shape.columns; ++j) {
      float sum = 0;
      for (index k = 0; k < shape.inner; ++k)
        sum += static_cast<float>(a[static_cast<std::size_t>(first + i * shape.inner + k)]) *
               static_cast<float>(b[static_cast<std::size_t>(first + k * shape.columns + j)]);
      expected[static_cast<std::size_t>(i * shape.columns + j)] = Result(sum);
    }
  device_words<T> const of_a(a.begin(), a.end());
  device_words<T> const of_b(b.begin(), b.end());
  device_words<Result> c(expected.size());
  multiply(mmm::cuda::on<machine>(mmm::threads(3 * threads)), of_a.begin() + first,
           of_b.begin() + first, shape, c.begin());
  auto const found = c.on_host();
  bool right = true;
  for (std::size_t k = 0; k < found.size(); ++k)
    right = right && static_cast<float>(found[k]) == static_cast<float>(expected[k]);
  CHECK(right);
}

template <class T, class Result>
void products() {
  for (auto const& shape : {mmm::product_shape{1, 1, 1}, {140, 36, 132}, {129, 17, 131}})
    for (index const first : {0, 1}) {
      product<T, Result>(mmm::matrix_multiply_in_registers, shape, first, 256);
      product<T, Result>(mmm::matrix_multiply_in_more_registers, shape, first, 128);
    }
}

TEST_CASE("products of halves, added up in floats") { products<__half, float>(); }
TEST_CASE("products of bfloat16, added up in floats") { products<__nv_bfloat16, float>(); }
TEST_CASE("products of bfloat16, rounded once") { products<__nv_bfloat16, __nv_bfloat16>(); }

template <class T>
void scans_and_places(index n, index first) {
  CAPTURE(n, first);
  std::vector<T> host(static_cast<std::size_t>(first + n), T(1.0F));
  host[static_cast<std::size_t>(first + n / 2)] = T(-2.0F);
  device_words<T> const a(host.begin(), host.end());
  auto const on = mmm::cuda::on<machine>(mmm::threads(3 * 96));
  device_words<float> sums(static_cast<std::size_t>(n));
  mmm::prefix_sums_one_pass(on, a.begin() + first, a.end(), sums.begin());
  auto const found = sums.on_host();
  bool right = true;
  for (index k = 0; k < n; ++k)
    right = right &&
            found[static_cast<std::size_t>(k)] == static_cast<float>(k + 1 - (k >= n / 2 ? 3 : 0));
  CHECK(right);
  auto const least = mmm::fastest::argmin(on, a.begin() + first, a.end());
  CHECK(static_cast<float>(least.value) == -2.0F);
  CHECK(least.place == n / 2);
}

TEST_CASE("scans and places of halves and bfloat16") {
  for (index const n : {1, 3071, 3072, 20001})
    for (index const first : {0, 1}) {
      scans_and_places<__half>(n, first);
      scans_and_places<__nv_bfloat16>(n, first);
    }
}

}  // namespace kernels_hmm_halves_tests
