// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_forms_checks.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

using namespace checks::placed_products;

}  // namespace

TEST_CASE("products of matrices in any place by register tiles") {
  by_register_tiles<false, false>();
  by_register_tiles<true, true>();
}

TEST_CASE("products of matrices in any place on every machine") {
  using banks = mmm::dmm<4, 2>;
  mmm::threads const p(8);
  mmm::host_threads<machine> const of_hmm(mmm::threads(12));
  one_by_one<true, true>(of_hmm);
  one_by_one<false, false>(mmm::host_threads<banks>(p));
  static_cast<void>(mmm::simulate<banks>(p, [](auto on) { one_by_one<true, true>(on); }));
}

TEST_CASE("placed products without a factor or a batch") {
  auto const a = numbers(64, 1);
  auto const b = numbers(64, 2);
  std::vector<int> placed(64);
  mmm::host_threads<machine> const on(mmm::threads(12));
  mmm::product_shape const shape(8, 8, 8);
  small_tiles{}(on, mmm::matrix(a.begin(), 8), b.begin(), shape, placed.begin());
  bool right = true;
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      int sum = 0;
      for (std::size_t m = 0; m < 8; ++m) sum += a[i * 8 + m] * b[m * 8 + j];
      right = right && placed[i * 8 + j] == sum;
    }
  CHECK(right);
  // one product costs what a packed one does
  auto const cost_of = [&](auto const& left) {
    return mmm::estimate<machine>(mmm::threads(12), [&](auto& handle) {
      small_tiles{}(handle, left, b.begin(), shape, placed.begin());
    });
  };
  CHECK(cost_of(mmm::matrix(a.begin(), 8)).time == cost_of(a.begin()).time);
}

TEST_CASE("what placed products reject") {
  std::vector<int> a(100);
  std::vector<int> c(100);
  std::vector<int> b(100);
  mmm::host_threads<machine> const on(mmm::threads(12));
  mmm::product_shape const shape(4, 5, 6);
  mmm::batches const one(1, 0, 0, 0);
  // of the types that the other tests compile
  auto const multiply = [&](word_index left, word_index right, auto const& out, word_index result) {
    small_tiles{}(on, mmm::matrix(a.cbegin(), left), mmm::matrix(b.cbegin(), right), shape,
                  mmm::matrix(out, result), one);
  };
  auto const multiply_transposed = [&](word_index left, word_index right) {
    small_tiles{}(on, mmm::transposed(a.cbegin(), left), mmm::transposed(b.cbegin(), right), shape,
                  mmm::matrix(c.begin(), 6), one);
  };
  CHECK_NOTHROW(multiply(5, 6, c.begin(), 6));
  CHECK_THROWS_AS(multiply(4, 6, c.begin(), 6), std::invalid_argument);
  CHECK_THROWS_AS(multiply(5, 5, c.begin(), 6), std::invalid_argument);
  CHECK_NOTHROW(multiply_transposed(4, 5));
  CHECK_THROWS_AS(multiply_transposed(3, 5), std::invalid_argument);
  CHECK_THROWS_AS(multiply_transposed(4, 4), std::invalid_argument);
  CHECK_THROWS_AS(multiply(5, 6, c.begin(), 5), std::invalid_argument);
  CHECK_THROWS_AS(multiply(5, 6, a.begin() + 19, 6), std::invalid_argument);
  CHECK_THROWS_AS(mmm::batches(-1, 0, 0, 0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::batches(2, 0, -4, 0), std::invalid_argument);
}
