// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/convolution_checks.hpp"

#include <deque>
#include <limits>
#include <stdexcept>

namespace {

//! The max-plus semiring: + is the maximum, * is the sum, and T{} is a neutral element of neither.
struct longest {
  int value = -1000;
  friend longest operator+(longest a, longest b) { return {a.value < b.value ? b.value : a.value}; }
  friend longest operator*(longest a, longest b) { return {a.value + b.value}; }
  friend bool operator==(longest, longest) = default;
};

template <class T>
void converts_values(std::vector<T> const& x, std::vector<T> const& y, mmm::index n, mmm::index p) {
  std::vector<T> z(static_cast<std::size_t>(n));
  auto const run = [&](auto on) {
    mmm::convolution(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
  };
  mmm::simulate<mmm::umm<4, 3>>(mmm::threads(p), run);
  CHECK(z == checks::plainly_convolved(x, y, n));
}

}  // namespace

TEST_CASE("convolutions on a pram and a bpram") {
  checks::convolutions(mmm::pram());
  checks::convolutions(mmm::bpram<4>());
}

TEST_CASE("convolutions on a dmm") {
  checks::convolutions(mmm::dmm<4, mmm::dynamic>(GENERATE(1, 5)));
}

TEST_CASE("convolutions on a umm") {
  checks::convolutions(mmm::umm<4, mmm::dynamic, mmm::dynamic>(GENERATE(1, 5), GENERATE(1, 3)));
}

TEST_CASE("a convolution of any type of words") {
  for (mmm::index const p : {1, 5, 40}) {
    converts_values<double>({0.25}, {4, 8, -2}, 3, p);
    converts_values<longest>({{3}, {-4}, {5}, {-6}, {7}}, {{5}, {3}, {-1}, {2}, {9}, {-5}, {4}}, 3,
                             p);
  }
}

TEST_CASE("a convolution of words of different types is in that of the result") {
  std::vector<std::int8_t> const x = {100, 100, 100};
  std::deque<std::int16_t> const y = {1000, 2000, 3000, 4000};
  std::vector<double> z(2);
  mmm::simulate<mmm::dmm<4, 3>>(mmm::threads(4), [&](auto on) {
    mmm::convolution(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
  });
  CHECK(z == std::vector<double>{600000, 900000});
}

TEST_CASE("a convolution uses the words that it needs, and no others") {
  std::vector<int> const x = {2, 3};
  std::vector<int> const y = {1, 10, 100, 1000, std::numeric_limits<int>::max()};
  std::vector<int> z(5, -1);
  mmm::simulate<mmm::umm<4, 3>>(mmm::threads(4), [&](auto on) {
    mmm::convolution(on, x.begin(), x.end(), y.begin(), y.end(), z.begin() + 1, z.begin() + 4);
  });
  CHECK(z == std::vector<int>{-1, 32, 320, 3200, -1});
}

TEST_CASE("a convolution refuses what it cannot do, and writes nothing") {
  std::vector<int> x = {2, 3};
  std::vector<int> y = {1, 10, 100, 1000};
  std::vector<int> z(4, -1);
  auto const run = [](auto x_first, auto x_last, auto y_first, auto y_last, auto z_first,
                      auto z_last) {
    mmm::simulate<mmm::dmm<4, 3>>(mmm::threads(4), [&](auto on) {
      mmm::convolution(on, x_first, x_last, y_first, y_last, z_first, z_last);
    });
  };
  using Catch::Matchers::Contains;
  CHECK_THROWS_AS(run(x.begin(), x.begin(), y.begin(), y.end(), z.begin(), z.end()),
                  std::invalid_argument);
  CHECK_THROWS_WITH(run(x.begin(), x.begin(), y.begin(), y.end(), z.begin(), z.end()),
                    Contains("taps is 0"));
  CHECK_THROWS_AS(run(x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end()),
                  std::invalid_argument);
  CHECK_THROWS_WITH(run(x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end()),
                    Contains("is 4; accepted: 5 or more"));
  CHECK_THROWS_AS(run(x.begin(), x.end(), y.begin(), y.end(), z.end(), z.begin()),
                  std::invalid_argument);
  CHECK_THROWS_WITH(run(x.begin(), x.end(), y.begin(), y.end(), y.begin() + 3, y.end()),
                    Contains("overlaps"));
  CHECK_THROWS_WITH(run(x.begin(), x.end(), y.begin(), y.end(), x.begin() + 1, x.end()),
                    Contains("overlaps"));
  CHECK(x == std::vector<int>{2, 3});
  CHECK(y == std::vector<int>{1, 10, 100, 1000});
  CHECK(z == std::vector<int>(4, -1));
  // an empty output needs no words
  run(x.begin(), x.end(), y.begin(), y.begin(), z.begin(), z.begin());
  CHECK_THROWS_AS(mmm::taps(0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::taps_hidden(mmm::size(4), mmm::taps(1), 0), std::invalid_argument);
}
