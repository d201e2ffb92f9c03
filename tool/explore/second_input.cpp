// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "second_input.hpp"

#include <algorithm>
#include <random>

namespace explore {

using mmm::index;

std::vector<double> small_numbers(index n, std::uint64_t seed) {
  std::mt19937_64 random(~seed);
  std::vector<double> numbers(static_cast<std::size_t>(n));
  for (double& x : numbers) x = static_cast<double>(random() >> 60) - 8;
  return numbers;
}

std::vector<double> almost_part_of(std::vector<double> const& text, index m, std::uint64_t seed) {
  std::mt19937_64 random(~seed);
  std::size_t const n = text.size(), first = random() % n;
  std::vector<double> pattern(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < pattern.size(); ++i)
    pattern[i] = text[random() % 8 == 0 ? random() % n : (first + i) % n];
  return pattern;
}

std::vector<double> plain_product(std::vector<double> const& a, std::vector<double> const& b,
                                  index side) {
  auto const n = static_cast<std::size_t>(side);
  std::vector<double> c(n * n, 0.0);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t column = 0; column < n; ++column)
        c[row * n + column] += a[row * n + k] * b[k * n + column];
  return c;
}

std::vector<double> plain_convolution(std::vector<double> const& a, index side,
                                      std::vector<double> const& kernel, index v) {
  std::vector<double> c;
  c.reserve(a.size());
  for (index i = 0; i < side; ++i) {
    for (index j = 0; j < side; ++j) {
      double sum = 0;
      for (index y = std::max(i - v, index{0}); y <= std::min(i + v, side - 1); ++y)
        for (index x = std::max(j - v, index{0}); x <= std::min(j + v, side - 1); ++x)
          sum += a[static_cast<std::size_t>(y * side + x)] *
                 kernel[static_cast<std::size_t>((y - i + v) * (2 * v + 1) + x - j + v)];
      c.push_back(sum);
    }
  }
  return c;
}

}  // namespace explore
