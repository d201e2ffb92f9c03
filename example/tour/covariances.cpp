// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "covariances.hpp"

#include <mmm/algorithm/product/matrix_multiply.hpp>

#include "machines.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tour {
namespace {

constexpr index max_rows = 128;
constexpr std::size_t max_columns = 1024;

struct matrix {
  index rows;
  index columns;
  std::vector<double> values;
  [[nodiscard]] double operator()(index row, index column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

//! The matrix with one row for every channel and lag, less the row's mean.
matrix rows_of(std::vector<curve> const& channels, index lags) {
  auto const length =
      std::min(channels.front().size(), max_columns) - static_cast<std::size_t>(lags - 1);
  matrix all{static_cast<index>(channels.size()) * lags, static_cast<index>(length), {}};
  for (curve const& channel : channels)
    for (index lag = 0; lag < lags; ++lag) {
      auto const first = channel.begin() + lag;
      auto const last = first + all.columns;
      double const mean = std::accumulate(first, last, 0.0) / static_cast<double>(length);
      std::transform(first, last, std::back_inserter(all.values),
                     [mean](double x) { return x - mean; });
    }
  return all;
}

matrix transposed(matrix const& a) {
  matrix b{a.columns, a.rows, {}};
  for (index row = 0; row < b.rows; ++row)
    for (index column = 0; column < b.columns; ++column) b.values.push_back(a(column, row));
  return b;
}

//! True if a result equals that of plain loops, up to rounding in sums of as many products as `a`
//! has columns.
bool is_product(std::vector<double> const& result, matrix const& a, matrix const& b) {
  for (index row = 0; row < a.rows; ++row)
    for (index column = 0; column < b.columns; ++column) {
      double expected = 0;
      double magnitude = 0;
      for (index k = 0; k < a.columns; ++k) {
        expected += a(row, k) * b(k, column);
        magnitude += std::abs(a(row, k) * b(k, column));
      }
      double const slack =
          static_cast<double>(a.columns) * std::numeric_limits<double>::epsilon() * magnitude;
      double const found = result[static_cast<std::size_t>(row * b.columns + column)];
      if (!(std::abs(found - expected) <= slack)) return false;
    }
  return true;
}

}  // namespace

covariances covary(std::vector<curve> const& channels) {
  auto const count = static_cast<index>(channels.size());
  auto const length = static_cast<index>(channels.front().size());
  covariances found;
  found.lags = std::max<index>(1, std::min(max_rows / count, length / 2));
  found.side = count * found.lags;
  matrix const a = rows_of(channels, found.lags);
  matrix const b = transposed(a);
  mmm::product_shape const shape(a.rows, a.columns, b.columns);
  std::string const problem = std::to_string(a.rows) + " × " + std::to_string(a.columns) + " × " +
                              std::to_string(b.columns);
  mmm::tile const submatrix(std::min<index>(hmm::width(), a.rows));
  found.values.resize(static_cast<std::size_t>(found.side * found.side));
  found.measurements.push_back(measure(
      hmm{}, mmm::matrix_multiply, problem, 16384,
      [&](auto on) {
        mmm::matrix_multiply(on, a.values.begin(), b.values.begin(), shape, found.values.begin(),
                             submatrix);
      },
      [&](mmm::nothing) { return is_product(found.values, a, b); }, shape, submatrix));
  for (double& x : found.values) x /= static_cast<double>(a.columns);
  return found;
}

tool::image heat_map(covariances const& found) {
  index const cell = std::max<index>(1, 384 / found.side);
  double largest = 0;
  for (double const x : found.values) largest = std::max(largest, std::abs(x));
  tool::image picture{found.side * cell, found.side * cell, 3, {}};
  for (index y = 0; y < picture.height; ++y)
    for (index x = 0; x < picture.width; ++x) {
      double const value = found.values[static_cast<std::size_t>(y / cell * found.side + x / cell)];
      double const strength = largest > 0 ? std::abs(value) / largest : 0;
      constexpr int blue[3] = {0x00, 0x72, 0xb2};
      constexpr int orange[3] = {0xd5, 0x5e, 0x00};
      for (std::size_t c = 0; c < 3; ++c) {
        int const full = value < 0 ? orange[c] : blue[c];
        picture.samples.push_back(
            static_cast<std::uint8_t>(std::lround(255 - strength * (255 - full))));
      }
    }
  return picture;
}

}  // namespace tour
