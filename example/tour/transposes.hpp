// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measurement.hpp"

#include <common/image.hpp>

#include <string>
#include <vector>

//! A picture transposed by three algorithms.
namespace tour {

//! A picture that an algorithm made.
struct transposed_picture {
  std::string algorithm;
  std::string machine;
  tool::image picture;
};

struct transposes {
  std::vector<measurement> measurements;
  std::vector<transposed_picture> pictures;  //!< one per algorithm
};

//! Transposes a square colour picture, a pixel in a word, by every algorithm on every machine that
//! it is stated for.
[[nodiscard]] transposes transpose_everywhere(tool::image const& square);

}  // namespace tour
