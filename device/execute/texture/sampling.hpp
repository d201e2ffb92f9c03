// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/memory/texture.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

//! The texels that a fetch from a texture reads, and their filter: by the formulas of the CUDA C++
//! Programming Guide, "Texture Fetching". Choices that the guide leaves open are noted here.
namespace device::texture_detail {

//! The shapes of textures and surfaces that instructions name.
enum class geometry : std::uint8_t { line, lines, plane, planes, volume, cube, cubes };
[[nodiscard]] constexpr bool is_layered(geometry g) {
  return g == geometry::lines || g == geometry::planes || g == geometry::cubes;
}
[[nodiscard]] constexpr bool is_cubemap(geometry g) { return g >= geometry::cube; }
//! Coordinates besides the layer.
[[nodiscard]] constexpr int coordinates_of(geometry g) {
  if (g <= geometry::lines) return 1;
  return g <= geometry::planes ? 2 : 3;
}

//! A texel that a fetch reads, and its weight, which is not 0. Address 0: outside, where the
//! border's color is read.
struct tap {
  std::uint64_t address = 0;
  double weight = 1;
};

//! The texels of a lane's fetch: at most 8 of each of two levels.
struct taps {
  std::array<tap, 16> all{};
  int count = 0;
  void add(std::uint64_t address, double weight) {
    all[static_cast<std::size_t>(count++)] = {address, weight};
  }
};

//! A lane's coordinates.
struct place {
  bool is_integer = false;  //!< texels are numbered; otherwise coordinates are of floating point
  std::array<double, 3> x{};
  std::array<std::int64_t, 3> texel{};
  std::uint32_t layer = 0;
};

//! The texels of a fetch at a level of detail, those of weight 0 left out.
//!
//! A coordinate that is no number counts as 0. A layer beyond the last one is the last one. A
//! fraction of a filter is rounded to the nearest multiple of 2^-8. Coordinates of cubemaps with
//! equal magnitudes choose z before y before x.
//! \param level of detail, to which the texture's bias and bounds have been applied
[[nodiscard]] taps fetch(texture_object const&, geometry, place const&, double level);

//! The four texels that a linear filter would read, counter-clockwise from the lower left: those at
//! (0, 1), (1, 1), (1, 0), (0, 0).
[[nodiscard]] taps gather(texture_object const&, geometry, place const&);

//! The level of a fetch that asks for one: biased, within the texture's bounds.
[[nodiscard]] double bounded_level(texture_object const&, double level);

//! The level whose texels are as large as the steps to the next pixel, log2 of the greater
//! step's length in texels, as OpenGL defines it; CUDA does not.
//! \param dx, dy the coordinates' derivatives
[[nodiscard]] double level_of(texture_object const&, geometry, std::array<double, 3> const& dx,
                              std::array<double, 3> const& dy);

//! Bits of the four channels of a texel: floats, or integers extended to 32 bits. Channels that the
//! format has not are 0, which CUDA leaves open.
using texel = std::array<std::uint32_t, 4>;
//! \param address 0: the border
[[nodiscard]] texel read_texel(texture_object const&, std::uint64_t address);

//! A 32-bit value as a channel of a texel holds it: a float is rounded to the format's nearest
//! number, an integer beyond the format's is its greatest or least.
[[nodiscard]] std::uint32_t stored_channel(texel_format const&, std::uint32_t bits);

//! The sum of the texels by weight, rounded once; bit by bit what is in memory if it is one texel.
[[nodiscard]] texel combine(texture_object const&, taps const&);

}  // namespace device::texture_detail
