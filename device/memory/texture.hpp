// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <shared_mutex>
#include <vector>

//! Textures and surfaces, as the driver keeps them behind the numbers that kernels receive.
//!
//! The texels of a CUDA array lie row after row and layer after layer in an allocation of its own.
//! CUDA says nothing of their layout on a GPU.
namespace device {

//! The channels of a texel.
struct texel_format {
  enum class number_type : std::uint8_t {
    signed_integer,
    unsigned_integer,
    floating,
    signed_normalized,   //!< an integer that stands for a number in [-1, 1]
    unsigned_normalized  //!< in [0, 1]
  };
  number_type numbers = number_type::floating;
  int bits = 32;     //!< of a channel: 8, 16 or 32; 16 or 32 if floating, 8 or 16 if normalized
  int channels = 1;  //!< 1, 2 or 4

  [[nodiscard]] int bytes() const { return bits / 8 * channels; }
  //! True if a texel is read as integers, which no filter takes.
  [[nodiscard]] bool is_integer() const { return numbers <= number_type::unsigned_integer; }
  friend bool operator==(texel_format const&, texel_format const&) = default;
};

//! The texels of a level of detail.
struct texel_box {
  std::uint64_t begin = 0;  //!< address of the first
  //! in texels, at least 1; `depth` counts layers (of a cubemap: faces) where there are any
  std::uint64_t width = 1, height = 1, depth = 1;
  std::uint64_t pitch = 0;  //!< bytes from row to row
  std::uint64_t slice = 0;  //!< bytes from depth to depth
};

enum class address_mode : std::uint8_t { wrap, clamp, mirror, border };  //!< in CUDA's order

//! A texture or a surface.
struct texture_object {
  texel_format format{};
  bool is_surface = false;
  bool is_layered = false;
  bool is_cubemap = false;
  int dimensions = 1;  //!< of a level without its layers
  std::vector<texel_box> levels{};

  // --- of a texture
  std::array<address_mode, 3> modes{};  //!< wrap and mirror with normalized coordinates only
  bool normalized_coordinates = false;
  bool filters = false;         //!< between texels, linearly; otherwise takes the nearest
  bool filters_levels = false;  //!< between two levels
  bool decodes_srgb = false;
  bool is_seamless = false;               //!< filters across the edges of a cubemap's faces
  std::array<std::uint32_t, 4> border{};  //!< bits of what is read outside
  float level_bias = 0, min_level = 0, max_level = 0;
  unsigned max_anisotropy = 0;

  bool destroyed = false;
};

//! All textures and surfaces of a process. Thread-safe.
class texture_objects {
 public:
  //! The number that kernels name it by: never 0, never given again.
  [[nodiscard]] std::uint64_t add(texture_object);
  //! False if there is none of that number and kind.
  bool destroy(std::uint64_t number, bool is_surface);
  //! The object, also one that was destroyed; null if there never was one.
  [[nodiscard]] texture_object const* find(std::uint64_t number) const;

 private:
  mutable std::shared_mutex lock_;
  std::deque<texture_object> all_;
};

}  // namespace device
