// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"

#include <common/image.hpp>

#include <vector>

//! Filters that combine a picture's neighbouring pixels.
namespace tour {

inline constexpr index blur_radius = 3;
inline constexpr index box_radius = 6;

struct filtered {
  std::vector<measurement> measurements;
  //! the picture blurred by a Gaussian of 2 blur_radius + 1 pixels a side; pixels beyond the frame
  //! count as black
  tool::image blurred;
  //! means of 2 box_radius + 1 pixels a side, out of a summed area table
  tool::image box;
  index box_time = 0;     //!< to compute the means from the table
  index direct_time = 0;  //!< to compute them from the pixels, as mmm::image_convolution does
  tool::image edges;      //!< lengths of Sobel's gradients, the greatest in white; black frame
};

//! Blurs a grey picture and finds its edges on the HMM.
[[nodiscard]] filtered filter(tool::image const& grey);

}  // namespace tour
