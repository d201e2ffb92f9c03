// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <common/image.hpp>

#include <vector>

//! Finds an outline in a picture.
namespace tour {

using mmm::index;

struct point {
  index x;
  index y;
  friend bool operator==(point const&, point const&) = default;
};

//! Twice the signed area of the triangle a b c: positive if c lies to the left of the direction
//! from a to b (on the right on the screen, where y points downwards).
[[nodiscard]] constexpr index doubled_area(point a, point b, point c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

//! A simple polygon, whose edges meet at their ends only. The inside is on the left, in the sense
//! of doubled_area.
struct polygon {
  std::vector<point> vertices;
  index per_pixel;  //!< coordinate units per pixel
};

inline constexpr index least_vertices = 64;
inline constexpr index max_vertices = 96;

//! The longest outline in a grey picture, reduced to between least_vertices and max_vertices
//! vertices. Otsu's threshold separates dark from light regions. The longest outline of both
//! is taken, not counting parts on the picture's frame; if there is none, the frame itself.
[[nodiscard]] polygon outline_of(tool::image const& grey);

}  // namespace tour
