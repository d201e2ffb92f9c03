// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "second_input.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>

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

namespace {

using symbol_range = std::span<double const>;

//! The lengths of the longest common subsequences of x and all beginnings of y; backwards: of all
//! ends of y, the shortest first.
std::vector<index> common_lengths(symbol_range x, symbol_range y, bool backwards) {
  auto const at = [&](symbol_range s, std::size_t i) {
    return s[backwards ? s.size() - 1 - i : i];
  };
  std::vector<index> lengths(y.size() + 1, 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    index diagonal = 0;
    for (std::size_t j = 1; j < lengths.size(); ++j) {
      index const matched = diagonal + 1;
      diagonal = lengths[j];
      lengths[j] = at(x, i) == at(y, j - 1) ? matched : std::max(lengths[j], lengths[j - 1]);
    }
  }
  return lengths;
}

void append_common(symbol_range x, symbol_range y, std::vector<double>& found) {
  if (x.empty() || y.empty()) return;
  if (x.size() == 1) {
    if (std::find(y.begin(), y.end(), x[0]) != y.end()) found.push_back(x[0]);
    return;
  }
  std::size_t const half = x.size() / 2;
  auto const before = common_lengths(x.first(half), y, false);
  auto const after = common_lengths(x.subspan(half), y, true);
  std::size_t cut = 0;
  for (std::size_t j = 1; j <= y.size(); ++j)
    if (before[j] + after[y.size() - j] > before[cut] + after[y.size() - cut]) cut = j;
  append_common(x.first(half), y.first(cut), found);
  append_common(x.subspan(half), y.subspan(cut), found);
}

}  // namespace

std::vector<double> common_subsequence(std::vector<double> const& x, std::vector<double> const& y) {
  std::vector<double> found;
  append_common(x, y, found);
  return found;
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
