// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"

#include <common/image.hpp>

#include <string>
#include <vector>

//! Transposes a picture by three algorithms.
namespace tour {

//! A transposed picture and the algorithm that made it.
struct transposed_picture {
  std::string algorithm;
  std::string machine;
  tool::image picture;
};

struct transposes {
  std::vector<measurement> measurements;
  std::vector<transposed_picture> pictures;  //!< one per algorithm
};

//! Transposes a square colour picture, one pixel per word, by every algorithm on every machine that
//! the algorithm is stated for.
[[nodiscard]] transposes transpose_everywhere(tool::image const& square);

}  // namespace tour
