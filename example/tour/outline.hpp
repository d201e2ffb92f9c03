// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <common/image.hpp>

#include <vector>

//! The outline of what a picture shows.
namespace tour {

using mmm::index;

struct point {
  index x;
  index y;
  friend bool operator==(point const&, point const&) = default;
};

//! Twice the signed area of the triangle a b c: positive if c lies to the left of the way from a to
//! b (with y downwards, to the right).
[[nodiscard]] constexpr index doubled_area(point a, point b, point c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

//! A simple polygon: its edges meet at their ends only. The inside is to the left in the sense of
//! doubled_area.
struct polygon {
  std::vector<point> vertices;
  index per_pixel;  //!< units of the coordinates to a pixel
};

inline constexpr index least_vertices = 64;
inline constexpr index most_vertices = 96;

//! The longest outline in a grey picture, least_vertices to most_vertices of its points. Otsu's
//! threshold parts dark from light; of the outlines of dark and of light regions the one is taken
//! that is longest without what lies on the picture's frame, or the frame itself if there is no
//! other.
[[nodiscard]] polygon outline_of(tool::image const& grey);

}  // namespace tour
