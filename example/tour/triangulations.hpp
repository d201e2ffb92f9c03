// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/polygon.hpp>

#include "measurement.hpp"
#include "outline.hpp"

#include <string>
#include <vector>

//! An outline cut into triangles.
namespace tour {

struct triangulated {
  std::vector<measurement> measurements;
  std::vector<mmm::chord> chords;
  double weight = 0;  //!< the chords' lengths together, in pixels
};

//! The triangulation of a polygon whose chords, all of them within it, are shortest together.
//! Chords that leave the polygon or touch it between their ends weigh more than all others together
//! can.
[[nodiscard]] triangulated triangulate(polygon const& outline);

//! The triangles as an SVG document, each in the mean colour of the picture's pixels that it
//! covers.
[[nodiscard]] std::string mosaic(polygon const& outline, std::vector<mmm::chord> const& chords,
                                 tool::image const& picture);

}  // namespace tour
