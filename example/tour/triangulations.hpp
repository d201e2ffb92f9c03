// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon.hpp>

#include "measurement.hpp"
#include "outline.hpp"

#include <string>
#include <vector>

//! Cuts an outline into triangles.
namespace tour {

struct triangulated {
  std::vector<measurement> measurements;
  std::vector<mmm::chord> chords;
  double weight = 0;  //!< the sum of the chords' lengths, in pixels
};

//! The triangulation of a polygon whose chords, all of them inside of it, have the least total
//! length. Chords that leave the polygon, or touch it between their ends, have a weight greater
//! than the sum of all others.
[[nodiscard]] triangulated triangulate(polygon const& outline);

//! An SVG document of the triangles, each in the mean colour of the pixels that it covers.
[[nodiscard]] std::string mosaic(polygon const& outline, std::vector<mmm::chord> const& chords,
                                 tool::image const& picture);

}  // namespace tour
