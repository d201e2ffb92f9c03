// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "triangulations.hpp"

#include <mmm/algorithm/triangulation/polygon_triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>

#include "machines.hpp"
#include "measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace tour {
namespace {

//! A polygon's vertices, by a number that wraps around.
class corners {
 public:
  explicit corners(polygon const& outline) : vertices_(outline.vertices) {}
  [[nodiscard]] index count() const { return static_cast<index>(vertices_.size()); }
  [[nodiscard]] point operator[](index k) const {
    return vertices_[static_cast<std::size_t>((k + count()) % count())];
  }

 private:
  std::vector<point> const& vertices_;
};

//! True if x lies on the segment from a to b, for three points on one line.
bool between(point a, point b, point x) {
  return std::min(a.x, b.x) <= x.x && x.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= x.y &&
         x.y <= std::max(a.y, b.y);
}

bool segments_meet(point a, point b, point c, point d) {
  auto const side = [](index area) { return area > 0 ? 1 : area < 0 ? -1 : 0; };
  int const abc = side(doubled_area(a, b, c));
  int const abd = side(doubled_area(a, b, d));
  int const cda = side(doubled_area(c, d, a));
  int const cdb = side(doubled_area(c, d, b));
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) ||
         (cda == 0 && between(c, d, a)) || (cdb == 0 && between(c, d, b));
}

//! True if the chord from vertex i to vertex j begins inside of the polygon.
bool starts_inside(corners const& of, index i, index j) {
  point const a = of[i];
  point const b = of[j];
  point const before = of[i - 1];
  point const after = of[i + 1];
  if (doubled_area(before, a, after) >= 0)
    return doubled_area(a, b, before) > 0 && doubled_area(b, a, after) > 0;
  return !(doubled_area(a, b, after) >= 0 && doubled_area(b, a, before) >= 0);
}

//! True if the chord from vertex i to vertex j lies within the polygon and touches it only at its
//! ends. The test is exact.
bool is_inside(corners const& of, index i, index j) {
  if (!starts_inside(of, i, j) || !starts_inside(of, j, i)) return false;
  for (index k = 0; k < of.count(); ++k) {
    index const after = (k + 1) % of.count();
    if (k == i || k == j || after == i || after == j) continue;
    if (segments_meet(of[i], of[j], of[k], of[after])) return false;
  }
  return true;
}

struct chord_weights {
  index n;
  std::vector<double> values;  //!< the weight of chord (i, j), i < j, is at i n + j
  double outside;              //!< the weight of a chord that is not inside

  [[nodiscard]] double operator()(index i, index j) const {
    return j - i < 2 || j - i == n - 1 ? 0 : values[static_cast<std::size_t>(i * n + j)];
  }
};

chord_weights weights_of(polygon const& outline) {
  corners const of(outline);
  index const n = of.count();
  auto const apart = [&](index i, index j) {
    return std::hypot(static_cast<double>(of[i].x - of[j].x),
                      static_cast<double>(of[i].y - of[j].y)) /
           static_cast<double>(outline.per_pixel);
  };
  double perimeter = 0;
  for (index i = 0; i < n; ++i) perimeter += apart(i, i + 1);
  // No chord is longer than half of the perimeter, so that this weight exceeds any sum of chords.
  chord_weights weights{n, std::vector<double>(static_cast<std::size_t>(n * n)),
                        static_cast<double>(n) * perimeter};
  for (index i = 0; i < n; ++i)
    for (index j = i + 2; j < n; ++j)
      weights.values[static_cast<std::size_t>(i * n + j)] =
          is_inside(of, i, j) ? apart(i, j) : weights.outside;
  return weights;
}

//! The least weight, by dynamic programming over pairs of vertices in a plain loop.
double plainly_least(chord_weights const& weights) {
  index const n = weights.n;
  std::vector<double> least(weights.values.size());
  auto const at = [&](index i, index j) -> double& {
    return least[static_cast<std::size_t>(i * n + j)];
  };
  for (index apart = 2; apart < n; ++apart)
    for (index i = 0; i + apart < n; ++i) {
      double best = std::numeric_limits<double>::infinity();
      for (index k = i + 1; k < i + apart; ++k) best = std::min(best, at(i, k) + at(k, i + apart));
      at(i, i + apart) = best + weights(i, i + apart);
    }
  return at(0, n - 1);
}

//! True if the chords triangulate the polygon from inside and have the stated weight, up to
//! `slack`.
bool is_triangulation(mmm::polygon_triangulation<double> const& found, chord_weights const& weights,
                      double slack) {
  if (static_cast<index>(found.chords.size()) != weights.n - 3) return false;
  double sum = 0;
  for (mmm::chord const& a : found.chords) {
    double const weight = weights(a.first, a.last);
    if (!(weight > 0 && weight < weights.outside)) return false;
    sum += weight;
    for (mmm::chord const& b : found.chords)
      if ((a.first < b.first && b.first < a.last && a.last < b.last) || (&a != &b && a == b))
        return false;
  }
  return std::abs(sum - found.weight) <= slack;
}

//! All triangles: the triples of vertices that are joined by edges or chords.
std::vector<std::array<index, 3>> triangles_of(index n, std::vector<mmm::chord> const& chords) {
  std::vector<bool> joined(static_cast<std::size_t>(n * n));
  auto const at = [n](index i, index j) { return static_cast<std::size_t>(i * n + j); };
  for (index i = 0; i + 1 < n; ++i) joined[at(i, i + 1)] = true;
  joined[at(0, n - 1)] = true;
  for (mmm::chord const& c : chords) joined[at(c.first, c.last)] = true;
  std::vector<std::array<index, 3>> triangles;
  for (index i = 0; i < n; ++i)
    for (index j = i + 1; j < n; ++j)
      for (index k = j + 1; k < n && joined[at(i, j)]; ++k)
        if (joined[at(j, k)] && joined[at(i, k)]) triangles.push_back({i, j, k});
  return triangles;
}

//! The mean colour of the pixels whose centres lie in a triangle of positive area; if there is
//! none, the colour at its first vertex.
std::string mean_colour(std::array<point, 3> const& corner, index per_pixel,
                        tool::image const& picture) {
  auto const [left, right] = std::minmax({corner[0].x, corner[1].x, corner[2].x});
  auto const [top, bottom] = std::minmax({corner[0].y, corner[1].y, corner[2].y});
  std::array<index, 3> sum{};
  index count = 0;
  auto const add = [&](index x, index y) {
    auto const pixel = static_cast<std::size_t>((y * picture.width + x) * 3);
    for (std::size_t c = 0; c < 3; ++c) sum[c] += picture.samples[pixel + c];
    ++count;
  };
  for (index y = top / per_pixel; y < picture.height && y * per_pixel < bottom; ++y)
    for (index x = left / per_pixel; x < picture.width && x * per_pixel < right; ++x) {
      auto const doubled = [](point a) { return point{2 * a.x, 2 * a.y}; };
      point const centre{(2 * x + 1) * per_pixel, (2 * y + 1) * per_pixel};
      bool inside = true;
      for (std::size_t k = 0; k < 3; ++k)
        inside =
            inside && doubled_area(doubled(corner[k]), doubled(corner[(k + 1) % 3]), centre) >= 0;
      if (inside) add(x, y);
    }
  if (count == 0)
    add(std::min(corner[0].x / per_pixel, picture.width - 1),
        std::min(corner[0].y / per_pixel, picture.height - 1));
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(sum[0] / count) & 255U,
                static_cast<unsigned>(sum[1] / count) & 255U,
                static_cast<unsigned>(sum[2] / count) & 255U);
  return text;
}

}  // namespace

triangulated triangulate(polygon const& outline) {
  chord_weights const weights = weights_of(outline);
  double const least = plainly_least(weights);
  // The result adds the n - 3 weights in another order: equal up to rounding.
  double const slack =
      static_cast<double>(weights.n) * std::numeric_limits<double>::epsilon() * least;
  triangulated found;
  found.measurements.push_back(measure(
      umm{}, mmm::triangulation, std::to_string(weights.n) + " vertices", 1024,
      [&](auto on) { return mmm::triangulation(on, weights.values.begin(), weights.n); },
      [&](mmm::polygon_triangulation<double> const& result) {
        found.chords = result.chords;
        found.weight = result.weight;
        return std::abs(result.weight - least) <= slack && is_triangulation(result, weights, slack);
      },
      mmm::size(weights.n)));
  return found;
}

std::string mosaic(polygon const& outline, std::vector<mmm::chord> const& chords,
                   tool::image const& picture) {
  corners const of(outline);
  index const scale = std::max<index>(1, 640 / std::max(picture.width, picture.height));
  auto const written = [&](point a) {
    return std::to_string(a.x * scale / outline.per_pixel) + ',' +
           std::to_string(a.y * scale / outline.per_pixel) + ' ';
  };
  std::string const size = "width=\"" + std::to_string(picture.width * scale) + "\" height=\"" +
                           std::to_string(picture.height * scale) + '"';
  std::string svg =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" " +
      size + ">\n<rect " + size +
      " fill=\"#f6f7f9\"/>\n<g stroke=\"#ffffff\" stroke-width=\"0.7\">\n";
  for (auto const& [i, j, k] : triangles_of(of.count(), chords))
    svg += "<polygon fill=\"" + mean_colour({of[i], of[j], of[k]}, outline.per_pixel, picture) +
           "\" points=\"" + written(of[i]) + written(of[j]) + written(of[k]) + "\"/>\n";
  svg += "</g>\n<polygon fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.6\" points=\"";
  for (index k = 0; k < of.count(); ++k) svg += written(of[k]);
  return svg + "\"/>\n</svg>\n";
}

}  // namespace tour
