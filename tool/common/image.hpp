// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

//! Pixels in row-major order, `channels` samples of 0 … 255 each: 1 grey, 3 red green blue.
struct image {
  mmm::index width = 0;
  mmm::index height = 0;
  int channels = 1;
  std::vector<std::uint8_t> samples;
};

//! The extensions that read_image knows, for messages and for telling images from numbers.
[[nodiscard]] std::string image_extensions();
[[nodiscard]] bool has_image_extension(std::filesystem::path const& file);

//! Reads a picture of at most 2^27 pixels and converts it to 1 (grey) or 3 (colour) channels.
//! Throws failure, which names the file and the reason, if the picture is malformed or cut off.
[[nodiscard]] image read_image(std::filesystem::path const& file, int channels);

//! read_image for a file whose bytes are in memory, at most 2^31 - 1 of them.
[[nodiscard]] image decoded_image(std::string_view bytes, std::filesystem::path const& file,
                                  int channels);

//! The square of the given side in the middle of the picture; pixels outside the picture are black.
[[nodiscard]] image centred_square(image const& from, mmm::index side);

//! The picture made smaller by the least whole factor that leaves no side longer than `most`: means
//! of blocks of pixels; rows and columns that do not fill a block are left out at the lower and
//! right border.
[[nodiscard]] image shrunk(image const& from, mmm::index most);

//! Writes a PNG. Throws failure if the file cannot be written.
void write_png(std::filesystem::path const& file, image const& from);

}  // namespace tool
