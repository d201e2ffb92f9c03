// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"

#include <common/image.hpp>

#include <vector>

//! Filters that combine a picture's neighbouring pixels.
namespace tour {

inline constexpr index blur_radius = 3;

struct filtered {
  std::vector<measurement> measurements;
  //! the picture blurred by a Gaussian of 2 blur_radius + 1 pixels a side; pixels beyond the frame
  //! count as black
  tool::image blurred;
  tool::image edges;  //!< lengths of Sobel's gradients, the greatest in white; black frame
};

//! Blurs a grey picture and finds its edges on the HMM.
[[nodiscard]] filtered filter(tool::image const& grey);

}  // namespace tour
