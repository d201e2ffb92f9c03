// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/tensor_map.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

//! Tensor maps as kernels receive them: a CUtensorMap is 128 bytes that only the driver writes and
//! only the hardware reads. This device's hold the library's own type.
namespace device {

inline constexpr std::size_t tensor_map_bytes = 128;

//! A tensor map's parts in a CUtensorMap.
struct tensor_map_image {
  static constexpr std::uint32_t mark_value = 0x6d6d6d54;
  std::uint32_t mark = mark_value;
  std::uint8_t type = 0, rank = 0, interleave = 0, swizzle = 0;
  //! CUTLASS and Triton clear bit 21 here, in maps of small tensors, as drivers up to 13.1 need it.
  std::uint64_t changed_by_programs = 0;
  std::uint64_t address = 0;
  std::uint64_t strides[4] = {};
  std::uint64_t size_0 = 0;  //!< up to 2^32
  std::uint32_t sizes_less_1[4] = {};
  std::uint16_t box[5] = {};
  std::uint8_t element_strides[5] = {};
  std::uint8_t fill_with_nan = 0;
};
static_assert(sizeof(tensor_map_image) <= tensor_map_bytes);

inline void write_tensor_map(mmm::gpu::tensor_map const& m, std::byte* to) {
  tensor_map_image image;
  image.type = static_cast<std::uint8_t>(m.type);
  image.rank = static_cast<std::uint8_t>(m.rank);
  image.interleave = static_cast<std::uint8_t>(m.interleave);
  image.swizzle = static_cast<std::uint8_t>(m.swizzle);
  image.address = m.address;
  image.size_0 = static_cast<std::uint64_t>(m.sizes[0]);
  for (int d = 0; d < 4; ++d) {
    image.strides[d] = static_cast<std::uint64_t>(m.strides[d]);
    image.sizes_less_1[d] = static_cast<std::uint32_t>(m.sizes[d + 1] - 1);
  }
  for (int d = 0; d < 5; ++d) {
    image.box[d] = static_cast<std::uint16_t>(m.box[d]);
    image.element_strides[d] = static_cast<std::uint8_t>(m.element_strides[d]);
  }
  image.fill_with_nan = m.fill_with_nan ? 1 : 0;
  std::memset(to, 0, tensor_map_bytes);
  std::memcpy(to, &image, sizeof image);
}

//! Nothing if write_tensor_map did not write the bytes.
[[nodiscard]] inline std::optional<mmm::gpu::tensor_map> read_tensor_map(std::byte const* source) {
  tensor_map_image image;
  std::memcpy(&image, source, sizeof image);
  if (image.mark != tensor_map_image::mark_value) return std::nullopt;
  mmm::gpu::tensor_map m;
  m.type = static_cast<mmm::gpu::data_type>(image.type);
  m.rank = image.rank;
  m.interleave = static_cast<mmm::gpu::tensor_interleave>(image.interleave);
  m.swizzle = static_cast<mmm::gpu::tensor_swizzle>(image.swizzle);
  m.address = image.address;
  m.sizes[0] = static_cast<mmm::index>(image.size_0);
  for (int d = 0; d < 4; ++d) {
    m.strides[d] = static_cast<mmm::index>(image.strides[d]);
    m.sizes[d + 1] = mmm::index{image.sizes_less_1[d]} + 1;
  }
  for (int d = 0; d < 5; ++d) {
    m.box[d] = image.box[d];
    m.element_strides[d] = image.element_strides[d];
  }
  m.fill_with_nan = image.fill_with_nan != 0;
  return m;
}

}  // namespace device
