// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

// Products of matrices in any place: c = alpha a b + beta c for a batch of transposed and pitched
// matrices, compared with plain loops; what lies between the rows of c stays.

namespace {

using word_index = mmm::index;

std::vector<int> numbers(word_index n, word_index seed) {
  std::vector<int> a(static_cast<std::size_t>(n));
  for (word_index i = 0; i < n; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<int>((i * 37 + seed * 11) % 19 - 7);
  return a;
}

//! A batch of products with rows further apart than they are long.
template <bool LeftTransposed, bool RightTransposed>
struct example {
  mmm::product_shape shape;
  word_index gap;
  word_index count = 2;
  word_index left = (LeftTransposed ? shape.rows : shape.inner) + gap;
  word_index right = (RightTransposed ? shape.inner : shape.columns) + gap;
  word_index result = shape.columns + gap;
  word_index left_apart = (LeftTransposed ? shape.inner : shape.rows) * left;
  word_index right_apart = (RightTransposed ? shape.columns : shape.inner) * right + 4;
  word_index result_apart = shape.rows * result;
  std::vector<int> a = numbers(count * left_apart, 1);
  std::vector<int> b = numbers(count * right_apart, 2);
  std::vector<int> c = numbers(count * result_apart, 3);

  [[nodiscard]] std::vector<int> expected(int alpha, int beta) const {
    std::vector<int> all = c;
    for (word_index k = 0; k < count; ++k)
      for (word_index i = 0; i < shape.rows; ++i)
        for (word_index j = 0; j < shape.columns; ++j) {
          int sum = 0;
          for (word_index m = 0; m < shape.inner; ++m)
            sum += at(a, k * left_apart, LeftTransposed ? m : i, left, LeftTransposed ? i : m) *
                   at(b, k * right_apart, RightTransposed ? j : m, right, RightTransposed ? m : j);
          auto const place = static_cast<std::size_t>(k * result_apart + i * result + j);
          all[place] = alpha * sum + beta * c[place];
        }
    return all;
  }
  static int at(std::vector<int> const& x, word_index first, word_index row, word_index pitch,
                word_index column) {
    return x[static_cast<std::size_t>(first + row * pitch + column)];
  }

  //! `multiply(on, …)` of these matrices to `out`.
  template <class Multiply, class On, class... Form>
  void run(Multiply const& multiply, On const& on, std::vector<int>& out,
           Form const&... form) const {
    mmm::batches const all(count, left_apart, right_apart, result_apart);
    auto const to = mmm::matrix(out.begin(), result);
    if constexpr (LeftTransposed && RightTransposed)
      multiply(on, mmm::transposed(a.begin(), left), mmm::transposed(b.begin(), right), shape, to,
               all, form...);
    else if constexpr (LeftTransposed)
      multiply(on, mmm::transposed(a.begin(), left), mmm::matrix(b.begin(), right), shape, to, all,
               form...);
    else if constexpr (RightTransposed)
      multiply(on, mmm::matrix(a.begin(), left), mmm::transposed(b.begin(), right), shape, to, all,
               form...);
    else
      multiply(on, mmm::matrix(a.begin(), left), mmm::matrix(b.begin(), right), shape, to, all,
               form...);
  }
};

using small_tiles = mmm::detail::register_product_algorithm<mmm::product_tiles<8, 8, 4, 4, 4>>;
using machine = mmm::hmm<3, 4, 2, 7>;

template <bool LeftTransposed, bool RightTransposed>
void by_register_tiles() {
  auto const p = mmm::threads(12);
  for (auto const& shape : {mmm::product_shape(8, 8, 8), mmm::product_shape(20, 12, 16),
                            mmm::product_shape(9, 5, 11), mmm::product_shape(3, 0, 4)})
    for (word_index const gap : {0, 1, 4}) {
      CAPTURE(LeftTransposed, RightTransposed, shape.rows, shape.inner, gap);
      example<LeftTransposed, RightTransposed> const x{shape, gap};
      auto out = x.c;
      auto const call = [&](auto on) {
        x.run(small_tiles{}, on, out, mmm::alpha(3), mmm::beta(-2));
      };
      auto const run = mmm::simulate<machine>(p, call);
      CHECK(out == x.expected(3, -2));
      CHECK(run.races.empty());
      auto const cost = mmm::estimate<machine>(p, call);
      CHECK(cost.time == run.cost.time);
      CHECK(cost.stages == run.cost.stages);
      out = x.c;
      x.run(small_tiles{}, mmm::host_threads<machine>(p), out);
      CHECK(out == x.expected(1, 0));
    }
}

template <bool LeftTransposed, bool RightTransposed, class On>
void one_by_one(On const& on) {
  example<LeftTransposed, RightTransposed> const x{mmm::product_shape(5, 7, 6), 3};
  auto out = x.c;
  x.run(mmm::fastest::matrix_multiply, on, out, mmm::beta(2), mmm::alpha(3));
  CHECK(out == x.expected(3, 2));
}

}  // namespace

TEST_CASE("products of matrices in any place by register tiles") {
  by_register_tiles<false, false>();
  by_register_tiles<true, true>();
#ifdef MMM_ALL_TESTS
  by_register_tiles<false, true>();
  by_register_tiles<true, false>();
#endif
}

TEST_CASE("products of matrices in any place on every machine") {
  using banks = mmm::dmm<4, 2>;
  mmm::threads const p(8);
  mmm::host_threads<machine> const of_hmm(mmm::threads(12));
  one_by_one<true, true>(of_hmm);
  one_by_one<false, false>(mmm::host_threads<banks>(p));
  static_cast<void>(mmm::simulate<banks>(p, [](auto on) { one_by_one<true, true>(on); }));
#ifdef MMM_ALL_TESTS
  one_by_one<false, false>(of_hmm);
  one_by_one<true, true>(mmm::host_threads<banks>(p));
  static_cast<void>(mmm::simulate<banks>(p, [](auto on) { one_by_one<false, false>(on); }));
#endif
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
