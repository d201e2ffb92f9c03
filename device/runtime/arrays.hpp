// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/memory/texture.hpp>
#include <device/runtime/abi_textures.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace device::runtime {

struct process;

//! Textures in linear memory begin at multiples of it, and so does all that cudaMalloc gives.
inline constexpr std::uint64_t texture_alignment = 512;

//! A CUDA array, or a level of a mipmapped one.
struct array {
  int device = 0;
  abi::cudaChannelFormatDesc channels{};
  abi::cudaExtent extent{};  //!< as asked for: 0 for what its shape has not
  unsigned flags = 0;
  texel_format format{};
  texel_box texels{};
  bool is_level = false;

  [[nodiscard]] int dimensions() const;  //!< of a layer
  [[nodiscard]] std::uint64_t bytes() const { return texels.slice * texels.depth; }
};

struct mipmapped_array {
  std::vector<array*> levels{};
};

//! The descriptions that a texture or surface object was made of.
struct object_descriptions {
  abi::cudaResourceDesc resource{};
  abi::cudaTextureDesc texture{};
  std::optional<abi::cudaResourceViewDesc> view{};
};

//! The array that a handle stands for; fails with cudaErrorInvalidResourceHandle.
[[nodiscard]] array& array_of(process&, abi::cudaArray_t);
[[nodiscard]] mipmapped_array& mipmapped_of(process&, abi::cudaMipmappedArray_t);

//! The format that channels describe; fails with cudaErrorInvalidChannelDescriptor, throws
//! unsupported for those that are compressed or have planes.
[[nodiscard]] texel_format format_of(abi::cudaChannelFormatDesc const&);

//! A copy's box with memory in the place of arrays, and extents in bytes. Fails with
//! cudaErrorInvalidValue if it is not inside of an array.
[[nodiscard]] abi::cudaMemcpy3DParms without_arrays(process&, abi::cudaMemcpy3DParms const&);

//! Frees the arrays of a device, and forgets their handles.
void forget_arrays(process&, int device);

}  // namespace device::runtime
