// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filters.hpp"

#include <mmm/algorithm/image/image_convolution.hpp>

#include "machines.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tour {
namespace {

using grid = std::vector<double>;

//! A square kernel and its name.
struct kernel {
  char const* name;
  mmm::radius radius;
  grid taps;
};

kernel gaussian() {
  constexpr double deviation = blur_radius / 2.0;
  kernel k{"Gaussian", mmm::radius(blur_radius), {}};
  for (index y = -blur_radius; y <= blur_radius; ++y)
    for (index x = -blur_radius; x <= blur_radius; ++x)
      k.taps.push_back(std::exp(static_cast<double>(-x * x - y * y) / (2 * deviation * deviation)));
  double const sum = std::accumulate(k.taps.begin(), k.taps.end(), 0.0);
  for (double& tap : k.taps) tap /= sum;
  return k;
}

kernel sobel_across() { return {"Sobel x", mmm::radius(1), {-1, 0, 1, -2, 0, 2, -1, 0, 1}}; }
kernel sobel_down() { return {"Sobel y", mmm::radius(1), {-1, -2, -1, 0, 0, 0, 1, 2, 1}}; }

//! True if a result equals that of plain loops, up to rounding in sums of as many products as there
//! are taps.
bool is_convolution(grid const& result, grid const& pixels, mmm::shape size, kernel const& k) {
  index const v = k.radius.v;
  for (index row = 0; row < size.rows; ++row)
    for (index column = 0; column < size.columns; ++column) {
      double expected = 0;
      double magnitude = 0;
      for (index s = -v; s <= v; ++s)
        for (index t = -v; t <= v; ++t) {
          index const y = row + s;
          index const x = column + t;
          if (y < 0 || y >= size.rows || x < 0 || x >= size.columns) continue;
          double const product =
              pixels[static_cast<std::size_t>(y * size.columns + x)] *
              k.taps[static_cast<std::size_t>((v + s) * k.radius.width() + v + t)];
          expected += product;
          magnitude += std::abs(product);
        }
      double const slack =
          static_cast<double>(k.radius.area()) * std::numeric_limits<double>::epsilon() * magnitude;
      if (!(std::abs(result[static_cast<std::size_t>(row * size.columns + column)] - expected) <=
            slack))
        return false;
    }
  return true;
}

//! A grey picture of values from 0 to `white`; all black if `white` is 0.
tool::image grey_of(grid const& values, mmm::shape size, double white) {
  tool::image picture{size.columns, size.rows, 1, {}};
  for (double const x : values)
    picture.samples.push_back(static_cast<std::uint8_t>(
        white > 0 ? std::lround(255 * std::clamp(x / white, 0.0, 1.0)) : 0));
  return picture;
}

//! The lengths of the gradients. The frame is set to 0, because its gradients would depend on
//! pixels outside of the picture.
grid lengths(grid const& across, grid const& down, mmm::shape size) {
  grid result(across.size(), 0);
  for (index row = 1; row + 1 < size.rows; ++row)
    for (index column = 1; column + 1 < size.columns; ++column) {
      auto const at = static_cast<std::size_t>(row * size.columns + column);
      result[at] = std::hypot(across[at], down[at]);
    }
  return result;
}

}  // namespace

filtered filter(tool::image const& grey) {
  mmm::shape const size(grey.height, grey.width);
  grid const pixels(grey.samples.begin(), grey.samples.end());
  filtered found;
  auto const convolved = [&](kernel const& k) {
    grid result(pixels.size());
    std::string const problem = std::to_string(size.columns) + " × " + std::to_string(size.rows) +
                                ", " + std::to_string(k.radius.width()) + " × " +
                                std::to_string(k.radius.width()) + ' ' + k.name;
    found.measurements.push_back(measure(
        hmm{}, mmm::image_convolution, problem, 16384,
        [&](auto on) {
          mmm::image_convolution(on, pixels.begin(), size, k.taps.begin(), k.radius,
                                 result.begin());
        },
        [&](mmm::nothing) { return is_convolution(result, pixels, size, k); }, size, k.radius));
    return result;
  };
  found.blurred = grey_of(convolved(gaussian()), size, 255);
  grid const across = convolved(sobel_across());
  grid const edges = lengths(across, convolved(sobel_down()), size);
  found.edges = grey_of(edges, size, *std::max_element(edges.begin(), edges.end()));
  return found;
}

}  // namespace tour
