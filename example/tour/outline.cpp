// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outline.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <utility>

namespace tour {
namespace {

using outline = std::vector<point>;

//! The grey value that separates the pixels into two classes with the greatest variance between
//! them; the dark class has values up to it (Otsu, A threshold selection method from gray-level
//! histograms, 1979).
int threshold_of(tool::image const& grey) {
  std::array<double, 256> pixels{};
  for (std::uint8_t const value : grey.samples) pixels[value] += 1;
  double const all = static_cast<double>(grey.samples.size());
  double sum = 0;
  for (std::size_t value = 0; value < 256; ++value)
    sum += static_cast<double>(value) * pixels[value];
  int best = 255;
  double greatest = 0;
  double dark = 0;
  double dark_sum = 0;
  for (int value = 0; value < 256; ++value) {
    dark += pixels[static_cast<std::size_t>(value)];
    dark_sum += value * pixels[static_cast<std::size_t>(value)];
    if (dark == 0 || dark == all) continue;
    double const apart = dark_sum / dark - (sum - dark_sum) / (all - dark);
    double const variance = dark * (all - dark) * apart * apart;
    if (variance > greatest) {
      greatest = variance;
      best = value;
    }
  }
  return best;
}

//! The pixels of a region. Pixels beyond the frame do not belong to it.
class region {
 public:
  region(tool::image const& grey, int threshold, bool dark)
      : width_(grey.width), height_(grey.height), inside_(grey.samples.size()) {
    for (std::size_t k = 0; k < inside_.size(); ++k)
      inside_[k] = (grey.samples[k] <= threshold) == dark;
    fill_diagonals();
  }

  [[nodiscard]] index width() const { return width_; }
  [[nodiscard]] index height() const { return height_; }
  [[nodiscard]] bool operator()(index x, index y) const {
    return x >= 0 && x < width_ && y >= 0 && y < height_ && inside_[at(x, y)];
  }

 private:
  [[nodiscard]] std::size_t at(index x, index y) const {
    return static_cast<std::size_t>(y * width_ + x);
  }

  //! Adds pixels until no two pixels of the region touch at a corner only, so that every outline is
  //! a simple polygon.
  void fill_diagonals() {
    for (bool changed = true; changed;) {
      changed = false;
      for (index y = 0; y + 1 < height_; ++y)
        for (index x = 0; x + 1 < width_; ++x) {
          bool const falling = inside_[at(x, y)];
          bool const rising = inside_[at(x + 1, y)];
          if (falling == rising || inside_[at(x + 1, y + 1)] != falling ||
              inside_[at(x, y + 1)] != rising)
            continue;
          inside_[falling ? at(x + 1, y) : at(x, y)] = true;
          changed = true;
        }
    }
  }

  index width_;
  index height_;
  std::vector<bool> inside_;
};

//! The pixel borders between a region and the rest, as paths that have the region on their left (in
//! the sense of doubled_area).
std::vector<outline> borders_of(region const& inside) {
  index const columns = inside.width() + 1;
  std::vector<index> next(static_cast<std::size_t>(columns * (inside.height() + 1)), -1);
  auto const join = [&](index x, index y, index to_x, index to_y) {
    next[static_cast<std::size_t>(y * columns + x)] = to_y * columns + to_x;
  };
  for (index y = 0; y < inside.height(); ++y)
    for (index x = 0; x < inside.width(); ++x) {
      if (!inside(x, y)) continue;
      if (!inside(x, y - 1)) join(x, y, x + 1, y);
      if (!inside(x + 1, y)) join(x + 1, y, x + 1, y + 1);
      if (!inside(x, y + 1)) join(x + 1, y + 1, x, y + 1);
      if (!inside(x - 1, y)) join(x, y + 1, x, y);
    }
  std::vector<outline> found;
  for (std::size_t start = 0; start < next.size(); ++start) {
    if (next[start] < 0) continue;
    outline path;
    for (auto at = static_cast<index>(start); next[static_cast<std::size_t>(at)] >= 0;) {
      path.push_back({at % columns, at / columns});
      at = std::exchange(next[static_cast<std::size_t>(at)], -1);
    }
    found.push_back(std::move(path));
  }
  return found;
}

//! True if a path is the outer border of its region, rather than the border of a hole.
bool goes_around(outline const& path) {
  index area = 0;
  for (std::size_t k = 0; k < path.size(); ++k)
    area += doubled_area({0, 0}, path[k], path[(k + 1) % path.size()]);
  return area > 0;
}

//! The length of a path, without its parts on the picture's frame.
index length_within(outline const& path, index width, index height) {
  index length = 0;
  for (std::size_t k = 0; k < path.size(); ++k) {
    point const a = path[k];
    point const b = path[(k + 1) % path.size()];
    bool const on_frame =
        (a.x == b.x && (a.x == 0 || a.x == width)) || (a.y == b.y && (a.y == 0 || a.y == height));
    if (!on_frame) ++length;
  }
  return length;
}

//! True if a polygon remains simple without vertex k: no other vertex lies in the triangle of k and
//! its neighbours.
bool removable(outline const& path, std::size_t k) {
  std::size_t const before = (k + path.size() - 1) % path.size();
  std::size_t const after = (k + 1) % path.size();
  point const a = path[before];
  point const b = path[k];
  point const c = path[after];
  index const turn = doubled_area(a, b, c);
  if (turn == 0) return true;
  index const sign = turn > 0 ? 1 : -1;
  for (std::size_t other = 0; other < path.size(); ++other) {
    if (other == before || other == k || other == after) continue;
    point const x = path[other];
    if (sign * doubled_area(a, b, x) >= 0 && sign * doubled_area(b, c, x) >= 0 &&
        sign * doubled_area(c, a, x) >= 0)
      return false;
  }
  return true;
}

//! Removes vertices whose triangle with their neighbours is smallest (Visvalingam and Whyatt,
//! 1993), as long as the polygon remains simple; a polygon of four vertices or more always has a
//! vertex to remove.
void simplify(outline& path) {
  while (static_cast<index>(path.size()) > max_vertices) {
    std::vector<std::pair<index, std::size_t>> order(path.size());
    for (std::size_t k = 0; k < path.size(); ++k) {
      index const area = doubled_area(path[(k + path.size() - 1) % path.size()], path[k],
                                      path[(k + 1) % path.size()]);
      order[k] = {area < 0 ? -area : area, k};
    }
    std::make_heap(order.begin(), order.end(), std::greater<>());
    while (!removable(path, order.front().second)) {
      std::pop_heap(order.begin(), order.end(), std::greater<>());
      order.pop_back();
    }
    path.erase(path.begin() + static_cast<std::ptrdiff_t>(order.front().second));
  }
}

//! The polygon with twice as many vertices: coordinates are doubled, and every edge gets a
//! vertex in its middle.
outline halved_edges(outline const& path) {
  outline finer;
  for (std::size_t k = 0; k < path.size(); ++k) {
    point const a = path[k];
    point const b = path[(k + 1) % path.size()];
    finer.push_back({2 * a.x, 2 * a.y});
    finer.push_back({a.x + b.x, a.y + b.y});
  }
  return finer;
}

}  // namespace

polygon outline_of(tool::image const& grey) {
  int const threshold = threshold_of(grey);
  polygon found{{}, 1};
  index longest = -1;
  for (bool const dark : {true, false})
    for (outline& path : borders_of(region(grey, threshold, dark))) {
      index const length = length_within(path, grey.width, grey.height);
      if (length <= longest || !goes_around(path)) continue;
      longest = length;
      found.vertices = std::move(path);
    }
  for (; static_cast<index>(found.vertices.size()) < least_vertices; found.per_pixel *= 2)
    found.vertices = halved_edges(found.vertices);
  simplify(found.vertices);
  return found;
}

}  // namespace tour
