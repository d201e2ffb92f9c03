// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filters.hpp"

#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>

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

//! The summed area table by plain loops.
grid table_of(grid values, mmm::shape size) {
  auto const columns = static_cast<std::size_t>(size.columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i % columns != 0) values[i] += values[i - 1];
  for (std::size_t i = columns; i < values.size(); ++i) values[i] += values[i - columns];
  return values;
}

//! Writes the sum of the (2v + 1) x (2v + 1) pixels around each pixel: the four corners of a square
//! in a summed area table, whatever v is.
struct box_sums {
  template <class On, class Table, class Out>
  void operator()(On& on, Table table, mmm::shape size, mmm::radius box, Out out) const {
    on.each(size.rows, size.columns, [=](auto row, auto column) {
      auto const above = row - box.v - 1;
      auto const before = column - box.v - 1;
      auto const low = min(row + box.v, size.rows - 1) * size.columns;
      auto const right = min(column + box.v, size.columns - 1);
      auto const high = above * size.columns;
      auto const all = mmm::load(table[low + right]);
      auto const upper = mmm::load_if(above >= 0, table[high + right], 0.0);
      auto const left = mmm::load_if(before >= 0, table[low + before], 0.0);
      auto const corner = mmm::load_if(above >= 0 && before >= 0, table[high + before], 0.0);
      out[row * size.columns + column] = all - upper - left + corner;
    });
  }
};

//! The means of squares around each pixel of a grey picture on the HMM.
void blur_by_table(filtered& found, grid const& pixels, mmm::shape size) {
  constexpr index threads = 16384;
  grid table = pixels;
  std::string const problem = std::to_string(size.columns) + " × " + std::to_string(size.rows);
  found.measurements.push_back(measure(
      hmm{}, mmm::summed_area_1r1w, problem, threads,
      [&](auto on) { mmm::summed_area_1r1w(on, table.begin(), size); },
      [&](mmm::nothing) { return table == table_of(pixels, size); }, size));
  mmm::radius const box(box_radius);
  grid means(pixels.size());
  auto const run = mmm::simulate(hmm{}, mmm::threads(threads), [&](auto on) {
    mmm::run(on, box_sums{}, mmm::reads<double>(table.begin(), size.area()), size, box,
             mmm::writes<double>(means.begin(), size.area()));
  });
  for (double& x : means) x /= static_cast<double>(box.area());
  kernel const direct{
      "box", box, grid(static_cast<std::size_t>(box.area()), 1 / static_cast<double>(box.area()))};
  if (!is_convolution(means, pixels, size, direct)) found.measurements.back().correct = false;
  found.box = grey_of(means, size, 255);
  found.box_time = run.cost.time;
  found.direct_time =
      mmm::cost_of(hmm{}, mmm::image_convolution, size, mmm::threads(threads), box).time;
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
  blur_by_table(found, pixels, size);
  grid const across = convolved(sobel_across());
  grid const edges = lengths(across, convolved(sobel_down()), size);
  found.edges = grey_of(edges, size, *std::max_element(edges.begin(), edges.end()));
  return found;
}

}  // namespace tour
